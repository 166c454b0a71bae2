"""The set-up in the language of a device: questions, helps, the doctor's findings."""

from dataclasses import replace

from companion.commentary import load_phrases
from companion.devices.doctor.finding import Finding
from companion.settings import Rejected, Step
from companion.web.settings.responses import Setting, SettingsForm


def translated(form: SettingsForm, language: str) -> SettingsForm:
    """Return the form with its texts for people in a language."""
    say = load_phrases(language).message

    def setting_in(setting: Setting) -> Setting:
        return {**setting, "help": say(setting["help"]), "takes": say(setting["takes"])}

    def rejected_in(rejected: Rejected) -> Rejected:
        return replace(rejected, reason=say(rejected.reason))

    def step_in(step: Step) -> Step:
        return replace(step, title=say(step.title), help=say(step.help))

    return {
        **form,
        "settings": [setting_in(setting) for setting in form["settings"]],
        "steps": [step_in(step) for step in form["steps"]],
        "rejected": rejected_in(form["rejected"]) if form["rejected"] else None,
        "warnings": messages_in(form["warnings"], language),
    }


def messages_in(texts: list[str], language: str) -> list[str]:
    """Return texts in a language; in English what has no translation."""
    return list(map(load_phrases(language).message, texts))


def findings_in(findings: list[Finding], language: str) -> list[Finding]:
    """Return the doctor's findings in a language; in English what has no translation."""
    say = load_phrases(language).message
    return [finding.told(say) for finding in findings]
