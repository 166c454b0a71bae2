// Types of the API's requests and responses, made from its description: `make api`.
declare namespace Api {
  type Request<Path> = Path extends keyof Requests ? Requests[Path] : object;
  type About = { buttons: string[]; event_kinds: Record<string, EventFacts>;
    event_signs: Record<string, string>; height_mm: number; language: string;
    languages: Record<string, string>; leds: ([number, number] | null)[]; local_only: boolean;
    mock: boolean; most_points: number; near: boolean; pages: string[]; panel: Record<string,
    PanelButton>; press: boolean; reverted: boolean; right: "run" | "score" | "watch"; run: string;
    settings: number; side_paths: Record<string, ZoneKind>; strip: string; teams: Record<string,
    SideLabel>; width_mm: number; zone_kinds: Record<string, Record<string, string>>; zones: boolean
    };
  type Action = "add" | "enter" | "export" | "none" | "seat";
  type AddEntrants = { command: "add-entrants"; lines: string };
  type Advice = { outlooks: Outcome[]; lead_five_to: number[] };
  type AnswerRequest = { granted: boolean };
  type AnsweredQuestion = { answers: number };
  type AsleepMode = { state: "asleep" };
  type Averages = { games: number; hand: number | null; crib: number | null; pegging: number | null
    };
  type AwaitedCount = { seat: number; team: number; why: CountKind; enders: number[]; pile: string[]
    };
  type BackupContent = { summary: BackupSummary; games: RecordedGame[]; files: string[];
    faults: string[] };
  type BackupSummary = { name: string; made: number; program: string; games: number;
    on_stick: boolean; of_others: boolean };
  type BalanceWhite = { begin?: true; choose?: Patch; end?: "drop" | "save" };
  type Begin = { per: "hole" | "hole-and-lane"; channels?: number };
  type BeginAnew = { command: "begin-anew"; night: string };
  type BestCount = { team: number; points: number };
  type BoardPlaces = { height: number; holes: Record<string, number[]>; width: number };
  type BoardView = { board: string | null; lit: boolean; names: string[]; online: boolean;
    pegs: PegView[]; spread: number | null; status: string; table: number; winner: string | null };
  type BoxNews = { hands: number; may_move: boolean };
  type ButtonTestMode = { state: "button-test" };
  type Calibrate = { begin?: Begin; tap?: SheetPoint; nothing?: AnsweredQuestion;
    undo?: AnsweredQuestion; end?: "drop" | "save" };
  type CalibrationProgress = { note: string; begun: boolean; asked: Question | null;
    answers: number; found: string[]; missing: string[]; width_mm: number; height_mm: number };
  type CardLine = { round: number; table: number; opponent: string; points: number; plus: number;
    minus: number; corrected: string | null };
  type CardNews = { seats: Record<string, string>; awaited: number | null; shown: Cards | null;
    cut: string; to_count: AwaitedCount | null; box_movers: number[]; open_count: OpenCount | null;
    session: number };
  type CardView = { id: number; lines: CardLine[]; name: string };
  type Cards = { phase: Phase; dealer: number; turn: number | null; starter: string | null;
    count: number; pile: string[]; hands: SeatsCards[]; crib: (string | null)[]; showing: number |
    "crib" | null };
  type CardsAsked = { for: "discard" | "play"; cards: number; under_deck: boolean; choice: string[]
    };
  type ChartMark = { rank: number; shape: string; ink: string };
  type Chosen = { cards: string[] };
  type Claim = { rule: string; by: number; game_to: number };
  type CommandGame = { game: number };
  type CommandPreview = { line: string; choices: Record<string, boolean>; zones: ZoneLanding[];
    sides: Record<string, SideChange>; changes: LaterChange[] };
  type CommandRequest = { change: AddEntrants | SetEntrant | RemoveEntrant | SetFormat | SeatRound |
    WithdrawRound | MovePair | EnterResult | WithdrawResult | CorrectCard | WithdrawCorrection |
    SetMessage | BeginAnew };
  type Consent = { number: number; kind: "run" | "score" | "update"; name: string; button: string };
  type Continuation = "new-game" | "next-game" | "unchanged";
  type Correct = { entry: number; points?: number | null };
  type CorrectCard = { command: "correct-card"; correction: Correction };
  type Correction = { round: number; entrant: number; points: number; plus?: number; minus?: number;
    reason?: string };
  type CountKind = "crib" | "go" | "hand" | "heels" | "last" | "play";
  type CountResponse = { entry: number; seq: number | null; hand: number; team: number;
    points: number | null; line: string };
  type Counted = { points: number; parts: CountedPart[] };
  type CountedPart = { kind: PartKind; points: number; cards: string[] };
  type DemoCommand = { seq: number; events: Event[] };
  type DemoNews = { on: boolean; stage: Stage; table: TableResponse | null; cards: Cards | null;
    lines: string[]; names: Record<string, string>; newest: DemoCommand | null };
  type DemoRequest = { on: boolean };
  type Doubt = { kind: "counted" | "typed"; points: number };
  type EnterResult = { command: "enter-result"; round: number; table: number; winner: string;
    plus: number; minus: number };
  type EntrantView = { id: number; name: string; playing: boolean; seated: boolean };
  type EntryResponse = { seq: number; line: string; events: Event[]; undone: Event[] };
  type Event = { kind: Kind; team: number | null; from: number | string | null; to: number | string
    | null; points?: number | null; rule: string | null };
  type EventFacts = { movement: Movement | null; zone: ZoneKind | null; names_hole: boolean;
    is_highlight: boolean; is_apart: boolean; tune: number[]; mark: ChartMark | null;
    sign_rank: number };
  type Feat = { holes: number; game: number; step: number | null };
  type Finding = { level: Level; what: string; why: string; remedy: string };
  type ForgetRequest = { id: string };
  type GamePage = { games: RecordedGame[]; more: boolean };
  type GameSide = { name: string | null; progress: number; caught: number };
  type GameTimeline = { game: RecordedGame; here: boolean; width_mm: number; height_mm: number;
    places: TimelineEntry[]; progress: Record<string, number[]>; win_chances: Record<string,
    number[]>; pegs: Record<string, PegPlaces[]> };
  type GameView = { entered: boolean; minus: number | null; names: string[]; plus: number | null;
    round: number; status: string; table: number; winner: string | null };
  type Goodbye = { restarts?: boolean };
  type Grants = { penalty_to: string; takers: number[]; erring: number[]; overcalled: boolean;
    last_count: number | null; claims: boolean };
  type HallStream = { hello: Hello; beat: StreamBeat; goodbye: Goodbye; news: ViewNews_HallView_ };
  type HallView = { boards: BoardView[]; connected: boolean; done: number; games: number;
    message: string; next: RoundView | null; night: string; planned_rounds: number; round: number;
    seats: RoundView | null; standings: Place[]; title: string };
  type Hands = { hands: Record<string, string> };
  type HeldCard = { card: string | null; played: boolean };
  type Hello = { run: string; viewer: number; seq: number };
  type HintKind = "awake" | "box-entered" | "box-forgotten" | "box-moved" | "box-served" | "boxed" |
    "count-limit" | "count-pending" | "deal-forgotten" | "folded" | "game-over" | "game-shown" |
    "hold-undo" | "let-in" | "machine-counts" | "new-rules" | "nobody-counted" | "not-playing" |
    "not-to-count" | "nothing-pending" | "one-preset" | "refused" | "result-awaited" | "side-full" |
    "sign-up" | "sign-up-closed" | "stuck" | "too-few-sides" | "unequal-sides";
  type HintResponse = { kind: HintKind; team: number | null; number: number };
  type JoinFailure = "no-address" | "not-found" | "other" | "timed-out" | "wrong-password";
  type JoinNetwork = { name: string; password?: string };
  type JoinRequest = { name: string; right?: "run" | "score"; side?: number | null };
  type JoinResponse = { number: number; visit: string };
  type Kind = "advanced" | "awarded" | "box_moved" | "boxed" | "claimed" | "corrected" | "counted" |
    "dealt" | "folded" | "forfeited" | "match_won" | "overpegged" | "penalised" | "placed" |
    "released" | "sent_back" | "skipped" | "skunked" | "slid" | "trapped" | "undone" | "won";
  type LaterChange = { before: string; after: string };
  type Level = "fix" | "note" | "ok";
  type LightTest = { lines: string[]; shown: string | null };
  type LightsMode = { state: "lights" };
  type LightsTest = { pattern: "index" | "order" | "white" | "zones" | null };
  type MatchRecord = { number: number; games: number[]; begun: number; ended: number | null;
    to: number | null; score: Record<string, number>; names: Record<string, string>; winner: number
    | null };
  type MatchValue = { games: Record<string, number>; to: number | null; winner: number | null };
  type Matter = { text: string; action: Action; seat: [number, number] | null; urgent: boolean };
  type MovePair = { command: "move-pair"; table: number; to: number };
  type Movement = "at_once" | "straight" | "walks";
  type Muggins = { from: number; by: number; points: number; where: "play" | "show"; kind: "missed"
    | "overcalled"; given_back?: boolean };
  type NetworkResponse = { asked: string; failure: JoinFailure | null; fault: string | null;
    hotspot: string; networks: WifiNetwork[]; stage: NetworkStage };
  type NetworkStage = "hotspot" | "joined" | "joining" | "searching";
  type NewGameOptions = { lanes: number; teams: number[]; players: number; presets: string[];
    settings: string; preset: string; muggins: string; words: Record<string, string> };
  type NewGameRequest = { teams?: number[] | null; players?: 2 | 3 | 4 | 6 | null; preset?: string |
    null };
  type NewestGame = { won: WonGame | null };
  type NightAbout = { language: string; languages: Record<string, string>; pages: string[];
    right: "run" | "score" | "watch"; version: string };
  type NightStanding = { table: number; connected: boolean; round: number; names: Record<string,
    string>; awaited: string[]; confirmed: string[]; message: string };
  type NightStream = { hello: Hello; beat: StreamBeat; goodbye: Goodbye;
    news: ViewNews_OrganiserView_ };
  type Nothing = {  };
  type OpenCount = { seat: number; team: number; why: CountKind; points: number; callers: number[];
    undecided: number[]; given_back: string; only_missed: boolean };
  type OrganiserView = { attention: Matter[]; cards: CardView[]; entrants: EntrantView[];
    finish: number; games: GameView[]; hall: HallView; planned_rounds: number; refusal: string |
    null; scoring: string; tables: number[] };
  type Outcome = { points: number; lands: number | string; kind: ZoneKind | null; front: number |
    string; forfeited: boolean; wins: boolean };
  type Overpeg = { team: number; extra: number; taken_by?: number | null };
  type OwnHand = { seats: Record<string, string>; awaited: number | null; shown: Cards | null;
    cut: string; to_count: AwaitedCount | null; box_movers: number[]; open_count: OpenCount | null;
    seat: number; ask: CardsAsked | null; lines: string[] };
  type PageWords = { forms: number[]; texts: Record<string, string[]> };
  type PairView = { names: string[]; table: number };
  type PairedResponse = { name: string; right: "run" | "score" };
  type PanelButton = { action: string; code: string; hold_s: number; label: string; points: number;
    runs_table: boolean; side: number };
  type PartKind = "double-pair-royal" | "fifteen" | "flush" | "nobs" | "pair" | "pair-royal" | "run"
    | "thirty-one";
  type Patch = { round: number; patch: number };
  type PegPlaces = { front: [number, number]; back: [number, number] };
  type PegView = { colour: string; hole: string; kind: string; lane: string };
  type Penalty = { rule: string; by: number; taken: number[] };
  type Phase = "discard" | "over" | "play" | "show" | "starter";
  type PhoneEntry = { id: string; name: string; own: boolean; right: "run" | "score"; since: string
    };
  type Place = { rank: number; name: string; points: number; won: number; lost: number; net: number;
    plus: number; qualifies: boolean };
  type PointsRequest = { points: number; given_back?: boolean; of?: number | null };
  type PressRequest = { button: string; seconds?: number };
  type Preview = { game: Continuation };
  type Question = { asked: "any" | "dark" | "where"; channel: number; first: number; last: number;
    likely: Spot[] };
  type RecordedGame = { number: number; standing: Standing; begun: number; ended: number | null;
    board: string; title: string; finish: number; players: number; rules: Record<string, string>;
    sides: Record<string, GameSide>; winner: number | null; worth: number | null; counts: number;
    hands: number };
  type RefereeCommand = { penalty?: Penalty; claim?: Claim; muggins?: Muggins; overpeg?: Overpeg;
    correct?: Correct; set_pegs?: SetPegs };
  type RefereeOptions = { rulings: Ruling[]; grants: Grants; computers: number[] };
  type Refusal = { error: string; faults?: SettingFault[]; rule?: string | null };
  type RemoveEntrant = { command: "remove-entrant"; id: number };
  type ReplayMode = { state: "replay"; game: number; at: number; of: number };
  type ReplayRequest = { game: number; at: number | null };
  type Requests = { "/api/backups/restore": RestoreRequest; "/api/calibration": Calibrate;
    "/api/cards": Seats; "/api/cards/end": Nothing; "/api/command": RefereeCommand;
    "/api/demo": DemoRequest; "/api/join": JoinRequest; "/api/lights-test": LightsTest;
    "/api/network": JoinNetwork; "/api/new-game": NewGameRequest;
    "/api/phones/forget": ForgetRequest; "/api/press": PressRequest; "/api/preview": RefereeCommand;
    "/api/replay": ReplayRequest; "/api/restart": Restart; "/api/settings": SettingsChange;
    "/api/settings/preview": SettingsChange; "/api/taps": TapsRequest;
    "/api/white-balance": BalanceWhite; "/api/night": CommandRequest };
  type Restart = { run: string };
  type RestoreRequest = { name: string; run: string };
  type RoundView = { bye: string | null; number: number; pairs: PairView[] };
  type RulesSection = { title: string; lines: string[] };
  type RulesText = { title: string; sections: RulesSection[] };
  type Ruling = { rule: string; what: string; follows: string; words: string; points: boolean;
    claim: boolean; sources: string[] };
  type SeatRound = { command: "seat-round"; round: number };
  type Seats = { seats: string[] };
  type SeatsCards = { seat: number; team: number; folded: boolean; cards: HeldCard[] };
  type Security = "open" | "password" | "wpa3";
  type SetEntrant = { command: "set-entrant"; id: number; name: string; playing: boolean };
  type SetFormat = { command: "set-format"; title: string; finish: 121 | 363; scoring: "acc" |
    "crib-wars"; planned_rounds: number; tables: number[] };
  type SetMessage = { command: "set-message"; text: string };
  type SetPegs = { team: number; front: number | string; back: number | string };
  type Setting = { key: string; kind: ValueKind; value: any; default: any; origin: string;
    label: string; help: string; group: string; words: Record<string, string>; unit: string;
    other: string; takes: string; suggested: string[]; each: ValueKind | null; choices: string[];
    low: number | null; high: number | null; whole: boolean; at_once: boolean };
  type SettingFault = { key: string | null; problem: string; remedy: string; text: string };
  type SettingsChange = { changes: object; stamp: string };
  type SettingsForm = { faults: string[]; file: string; first_run: boolean; game: Continuation;
    pending: boolean; presets: Record<string, Record<string, string>>; rejected: TakenBack | null;
    settings: Setting[]; stamp: string; steps: Step[]; warnings: string[] };
  type SheetPoint = { answers: number; x_mm: number; y_mm: number };
  type ShowMode = { state: "show" };
  type SideChange = { before: SideValue; after: SideValue };
  type SideLabel = { colour: string; name: string };
  type SideResponse = { front: number | string; back: number | string; boxed: number;
    folded: boolean; progress: number; pending: number };
  type SideTotals = { played: number; won: number; worth: number; skunks: Skunks;
    double_skunks: Skunks; holes: number | null; counts: number; average_count: number | null;
    largest_count: number; penalty_points: number; muggins_points: number; awards: number;
    zones: Record<string, number>; best_swing: Feat | null; worst_swing: Feat | null; comeback: Feat
    | null; longest_streak: number; streak: number; averages: Averages };
  type SideValue = { front: number | string; back: number | string; boxed: number; folded: boolean;
    progress: number };
  type SignUpMode = { state: "sign-up"; joined: number[]; people: Record<string, number>;
    joining: boolean; preset: string; words: string; presets: string[] };
  type Skunks = { given: number; taken: number };
  type Spot = { name: string; x_mm: number; y_mm: number };
  type Stage = "path" | "play" | "show";
  type Standing = "left" | "running" | "won";
  type Statistics = { games: number; sides: Record<string, SideTotals>; names: Record<string,
    SideTotals> };
  type Step = { id: string; title: string; help: string; keys: string[]; needs_lights: boolean };
  type StreamBeat = {  };
  type TableNews = { seq: number; revision: number; settings: number; table: TableResponse;
    match: MatchValue; boxes: Record<string, BoxNews>; mode: SignUpMode | ShowMode | AsleepMode |
    LightsMode | ButtonTestMode | TourMode | ReplayMode | null; notices: string[]; saved: boolean;
    feedback: string | null; hint: HintResponse | null; demo: DemoNews | null; night: NightStanding
    | null; seats: number; cards: CardNews | null; consents: Consent[]; win_chances: Record<string,
    number> | null };
  type TableResponse = { seq: number; teams: Record<string, SideResponse>; dealer: number;
    hand: number; winner: number | null };
  type TableStream = { hello: Hello; beat: StreamBeat; goodbye: Goodbye; news: TableNews;
    entry: EntryResponse; frame: string };
  type TakenBack = { reason: string; values: string[] };
  type Tap = { button: string; held?: number; if_alone?: boolean; down?: boolean | null };
  type TapsRequest = { pad: string; run: string; first: number; taps: Tap[]; viewer?: number | null
    };
  type TapsResponse = { taken: number; revision: number; doubt: Doubt | null; table: TableResponse;
    feedback: string | null; hint: HintResponse | null; saved: boolean };
  type TimelineEntry = { seq: number; t: number; hand: number; words: string; notable: Kind | null;
    team: number | null };
  type TourMode = { state: "tour"; sign: string; line: string };
  type TurningCount = { gain: number; words: string };
  type ValueKind = "any" | "choice" | "mapping" | "number" | "number-or-numbers" | "numbers" |
    "switch" | "text" | "texts";
  type ViewNews_HallView_ = { turn: number; view: HallView };
  type ViewNews_OrganiserView_ = { turn: number; view: OrganiserView };
  type WhiteBalance = { begun: boolean; round: number; rounds: number; white: number[] };
  type WifiNetwork = { name: string; signal: number; security: Security; is_joined: boolean };
  type WithdrawCorrection = { command: "withdraw-correction"; round: number; entrant: number };
  type WithdrawResult = { command: "withdraw-result"; round: number; table: number };
  type WithdrawRound = { command: "withdraw-round"; round: number };
  type WonGame = { game: RecordedGame; best: BestCount | null; turning: TurningCount | null;
    progress: Record<string, number[]> };
  type ZoneKind = "green-advance" | "penalty-box" | "red-slide" | "time-trap";
  type ZoneLanding = { team: number | null; kind: ZoneKind };
}
