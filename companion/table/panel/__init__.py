"""Panel: it turns the presses of buttons into answers, such as commands and hints."""
