// The records of the protocol (docs/protocol.md) and of sandtable.kernel.display.
// Fields with defaults are left out of the JSON when they are empty.

export interface Power {
  id: string
  name: string
  short: string
  colour: string
  side?: string
  side_name?: string
  focus?: string[]
}
export interface UnitType {
  id: string
  name: string
  symbol: string
  facts: Record<string, string>
  note?: string
}
// The guide through a first turn; src/sandtable/kernel/welcome.py says what the fields mean.
export interface Where {
  space?: string
  holder?: string | null
  power?: string
  symbol?: string
  piece?: string
  tag?: string
}
export interface When {
  rounds?: [number, number] | null
  asked?: string[]
  idle?: boolean | null
  turn?: string[]
  phase?: string
  clear?: boolean
  battle?: boolean
  at?: Where[]
  unless?: When[]
}
export interface GuideStep {
  id: string
  title: string
  text: string[]
  when: When[]
  until?: When | null
  stays?: boolean
  spaces?: string[]
  only?: Where | null
  offer?: QuickStart | null
  point?: string
}
export interface Guide {
  power: string
  steps: GuideStep[]
  options?: Record<string, unknown>
}
export interface Layer {
  id: string
  name: string
  off?: boolean
}
export interface Chart {
  id: string
  title: string
  down: string
  across: string
  columns: string[]
  rows: Record<string, string[]>
  notes?: string[]
}
export interface Term {
  label: string
  value: string
}
export interface Reading {
  chart: string
  label: string
  row?: string
  column?: string
  terms?: Term[]
  note?: string
}
export interface About {
  game: string
  title: string
  subtitle: string
  powers: Power[]
  others?: Power[]
  map?: string
  spaces?: string[] | null
  names?: Record<string, string>
  types?: UnitType[]
  focus?: string[]
  figures?: string[]
  layers?: Layer[]
  charts?: Chart[]
  goals?: Record<string, string[]>
  guide?: Guide | null
}

export interface Piece {
  symbol: string
  name: string
  count?: number // 1
  id?: string
  size?: number
  printed?: boolean
  states?: string[]
  cargo?: Piece[]
  power?: string
  note?: string
}
export interface Stack {
  power: string
  pieces: Piece[]
}
export interface Mark {
  symbol: string
  title: string
  text?: string
  tone?: '' | 'good' | 'bad' | 'dim'
  layer?: string
}
export interface Space {
  owner?: string
  holder?: string
  marks?: Mark[]
  stacks?: Stack[]
  tags?: string[]
  lines?: string[]
}
export interface Border {
  pair: [string, string]
  kind: string
  owner?: string
  title?: string
  layer?: string
}
export interface Route {
  kind: string
  path: string[]
  owner?: string
  state?: '' | 'cut' | 'planned'
  label?: string
  title?: string
  layer?: string
}
export interface Step {
  id: string
  name: string
  now?: boolean
  done?: boolean
  short?: string
}
export interface Moment {
  title: string
  phase: string
  power?: string
  steps?: Step[]
  round?: number
  secret?: boolean
}
export interface Track {
  title: string
  columns: string[]
  rows: Record<string, string[]>
}
export interface SheetRow {
  group: string
  label: string
  value?: string
  tone?: '' | 'good' | 'dim'
}
export interface Sheet {
  power: string
  rows: SheetRow[]
}
export interface Pool {
  title: string
  power: string
  pieces: Piece[]
  note?: string
}
export interface Combatant {
  title: string
  power: string
  stacks: Stack[]
  strengths?: Record<string, string>
  lost?: Stack[]
  note?: string
  reading?: Reading | null
  player?: string
}
export interface Battle {
  space: string
  title: string
  round: number
  step: string
  sides: Combatant[]
}
export interface Picture {
  moment: Moment
  spaces: Record<string, Space>
  borders?: Border[]
  routes?: Route[]
  tracks?: Track[]
  sheets?: Sheet[]
  pools?: Pool[]
  battle?: Battle | null
  notes?: string[]
  text?: string
}

export interface Throw {
  label: string
  faces: number[]
  hits?: boolean[]
  power?: string
  note?: string
  reading?: Reading | null
  sure?: number
}
export interface Line {
  kind: string
  text: string
  spaces?: string[]
  power?: string
  throws?: Throw[]
  level?: number // 2
  path?: string[]
  deed?: '' | 'battle' | 'decided' | 'taken' | 'politics'
  fight?: string
  battle?: Battle | null
  over?: boolean
  lost?: Stack[]
  harmed?: string
}
export type Deed = NonNullable<Line['deed']>
export interface ReportItem {
  kind: 'battle' | 'damage' | 'gained' | 'lost' | 'income' | 'politics'
  text: string
  spaces?: string[]
  lost?: Stack[]
  power?: string
}
export interface Report {
  items: ReportItem[]
  touched?: number[]
}

export type Decision = { kind: string } & Record<string, unknown>

export interface Row {
  key: string
  label: string
  path: string[]
  most: number
  item?: unknown
  value?: number
  symbol?: string
  power?: string
  size?: number
  cost?: number
  group?: string
  space?: string
  note?: string
  states?: string[]
  cargo?: boolean
  holds?: number
  aboard?: number
}
export interface Limit {
  label: string
  most: number
  least?: number
  weights?: Record<string, number> | null
  by_cost?: boolean
  quiet?: boolean
  spare?: number | null
  rest?: number
}
export interface Odds {
  title: string
  win: number
  lose: number
  draw?: number
  lines?: string[]
  losses?: string
  outcome?: string
  exact?: boolean // true
  given?: string
  helped?: number | null
  note?: string
  readings?: Reading[]
}
export interface Setting {
  id: string
  label: string
  choices: Record<string, string>
}
export interface Calculator {
  title: string
  space: string
  attack: Row[]
  defend: Row[]
  settings?: Setting[]
}
/** Something of an edited position that is one of some choices. */
export interface Pick {
  label: string
  path: string[]
  value: string
  choices: Record<string, string>
  group?: string
}
/** What can be edited in a space and in the whole position. */
export interface Editor {
  title: string
  space: string
  power: string
  powers: Record<string, string>
  rows: Row[]
  picks?: Pick[]
}
export interface Choice {
  label: string
  decision: Decision
  detail?: string
  spaces?: string[]
  symbol?: string
  power?: string
  group?: string
  rows?: Row[]
  limits?: Limit[]
  battle?: string
  tone?: '' | 'primary' | 'danger' | 'quiet'
  follows?: string[]
  item?: string
  final?: boolean
}
export interface Item {
  key: string
  label: string
  group?: string
  symbol?: string
  power?: string
  size?: number
  space?: string
  note?: string
  why?: string
}
export interface Purse {
  label: string
  left: number
}
export interface Mover {
  space: string
  rows: Row[]
  single?: boolean
}
export interface Course {
  ends: [string, string]
  label: string
  capacity?: number
  left?: number
  path?: string[]
  stations?: Record<string, number>
  note?: string
}
export interface Network {
  title: string
  courses: Course[]
  ends?: string[]
  note?: string
}
export interface Plan {
  network: Network
  moves?: Choice[]
  problem?: string
}
export interface Prospect {
  space: string
  detail?: string
}
export interface Help {
  id: string
  name: string
}
export interface Form {
  kind: string
  power: string
  component: 'buy' | 'assign' | 'choose' | 'move' | 'schema'
  title: string
  prompt: string
  base?: Decision
  rows?: Row[]
  limits?: Limit[]
  choices?: Choice[]
  movers?: Mover[]
  network?: Network | null
  items?: Item[]
  purses?: Purse[]
  done?: Decision | null
  done_label?: string
  pass_label?: string
  done_problem?: string
  done_warning?: string
  battles?: Prospect[]
  auto?: Decision | null
  battle?: string
  optional?: boolean
  help?: Help[]
  schema?: Record<string, unknown> | null
  notes?: string[]
}
/** A form as it would be after some decisions, without those that are refused. */
export interface Draft {
  form: Form
  refused: number[]
  reason: string
}
export interface Way {
  decisions: Choice[]
  path: string[]
  battle?: boolean
  note?: string
  aside?: boolean
  cost?: number
  then?: Decision[]
  stay?: Record<string, number>
}
export interface Refusal {
  reason: string
  rule?: string
}
export interface Reach {
  ways: Record<string, Way>
  refused?: Record<string, Refusal>
  elsewhere?: string
  landings?: string[]
}

export interface Option {
  name: string
  help: string
  default: unknown
  choices: unknown[] | null
  /** A name and more about a value, by the value as text. */
  words: Record<string, [name: string, about: string]>
}
export interface QuickStart {
  label: string
  detail: string
  power: string
  options?: Record<string, unknown>
}
export interface Cover {
  blurb: string
  facts: string[]
  quick: QuickStart
}
export interface CatalogueGame {
  id: string
  title: string
  rules_version: string
  options: Option[]
  cover: Cover | null
}
export interface Catalogue {
  games: CatalogueGame[]
  bots: { name: string; level: string; help: string }[]
}
export interface Places {
  options: Record<string, unknown>
  about: About
  seats: { powers: string[] }[]
}
export interface Rule {
  ref: string
  rule: string
  ruling?: string | null
  optional?: boolean
  left_out?: string | null
}

export interface Account {
  id: string
  name: string
  guest: boolean
  email: string | null
  confirmed: boolean
  webhook: string | null
}
export interface Me {
  account: Account | null
  csrf: string
  mail: boolean // whether this server sends mail
}

export interface SeatInfo {
  number: number
  powers: string[]
  kind: 'person' | 'bot' | 'open' | 'invited'
  player: string
  registered: boolean
  mine: boolean
  /** The game is starting, and waits for this person's share in the dice. */
  sealed: boolean
  online: boolean
  bot: string
  /** What people call that bot. */
  level: string
  standing: string[]
  invite: string | null
  /** Since when it has had to decide. */
  since: string | null
  deadline: string | null
  votes: number
  away: string | null
}
export interface GameInfo {
  id: string
  game: string
  /** What that game is called; `title` is what the table is called. */
  name: string
  title: string
  subtitle: string
  /** Those that are not as usual, in words. */
  options: [option: string, value: string][]
  status: 'lobby' | 'running' | 'over'
  version: number
  access: 'private' | 'link' | 'public'
  clock: { hours: number; then: 'wait' | 'bot' } | null
  created: string
  updated: string
  creator: string
  mine: boolean
  seats: SeatInfo[]
  you: string[]
  waiting: string[]
  result: { winners: string[]; reason: string } | null
  /** Whether the position was changed by hand. */
  edited: boolean
  commitment: string
  /** What the players have committed to, once the game starts. */
  commitments: string[]
  entropy: string[]
  secret: string | null
  spectators: number
  rematch: string | null
}
export interface Pending extends Record<string, unknown> {
  power: string
  kind: string
  prompt: string
}
export interface Remark {
  id: number
  /** Empty where the server tells what has become of a seat. */
  name: string
  /** Whether that is the registered name of who said it. */
  registered: boolean
  text: string
  at: string
}
export interface LogChange {
  keep: number
  add: Line[]
}
export interface View {
  version: number
  about: About
  picture: Picture
}
export interface History {
  steps: {
    version: number
    text: string
    power: string
    level: number
    lines: [from: number, to: number]
  }[]
  figures: { version: number; title: string; values: Record<string, Record<string, number>> }[]
}
export interface Replay {
  picture: Picture
  steps: { version: number; changes: Partial<Picture> }[]
}
export interface Verification {
  ok: boolean
  game: string
  decisions: number
  rolls: number
  dice: string
  commitment: string
  problem: string
  /** Where the position was changed by hand, and how, a sentence each. */
  edits: string[]
}

/** A decision of mine that I could take back, and where it stands in my log. */
export interface Back {
  version: number
  lines: [from: number, to: number]
}
/** What is new with a version: the log, my requests and rights, what I could take back. */
export interface Moved {
  version: number
  log: LogChange
  /** How many decisions stand. */
  steps: number
  pending: Pending[]
  may: Pending[]
  undo: string
  back: Back[]
}
export type Message =
  | ({ type: 'hello'; info: GameInfo; about: About; picture: Picture; chat: Remark[] } & Moved)
  | ({
      type: 'update'
      changes: Partial<Picture>
      waiting: string[]
    } & Moved)
  | { type: 'info'; info: GameInfo }
  | { type: 'presence'; online: number[]; spectators: number }
  | { type: 'chat'; remark: Remark }
  | { type: 'error'; error: string }
  | { type: 'pong' }
