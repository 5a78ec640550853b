// The REST part of docs/protocol.md, typed.

import type {
  Calculator,
  Account,
  Catalogue,
  Decision,
  Draft,
  Editor,
  Form,
  GameInfo,
  History,
  Me,
  Odds,
  Places,
  Plan,
  Reach,
  Replay,
  Report,
  Rule,
  Verification,
  View,
} from './types'

/** What the server said instead of an answer. `status` 0: it could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly rule = '',
    readonly field = '',
  ) {
    super(error)
  }
}

/** Any failure as the sentence that is shown for it. */
export function problemOf(failure: unknown): ApiError {
  if (failure instanceof ApiError) return failure
  return new ApiError(-1, failure instanceof Error ? failure.message : String(failure))
}

let csrf = ''

let reached = () => {}
/** `then` is called whenever the server has answered. */
export function onReached(then: () => void): void {
  reached = then
}

async function call<T>(method: string, path: string, body?: unknown, again = false): Promise<T> {
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (method !== 'GET' && csrf) headers['X-CSRF-Token'] = csrf
  let answer: Response
  try {
    answer = await fetch('/api' + path, {
      method,
      headers,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    })
  } catch {
    throw new ApiError(0, 'The server cannot be reached. Check your connection and try again.')
  }
  reached()
  const text = await answer.text()
  let content: unknown = null
  try {
    content = text ? JSON.parse(text) : null
  } catch {
    // A proxy's error page: the sentence below says enough.
  }
  if (!answer.ok) {
    const said = (content ?? {}) as { error?: string; rule?: string; field?: string }
    if (said.field === 'X-CSRF-Token' && !again) {
      // Another page of this browser has become somebody, or somebody else.
      await me()
      return call<T>(method, path, body, true)
    }
    throw new ApiError(
      answer.status,
      said.error ?? `The server answered ${answer.status}. Try again in a moment.`,
      said.rule ?? '',
      said.field ?? '',
    )
  }
  return content as T
}

const get = <T>(path: string) => call<T>('GET', path)
const post = <T>(path: string, body: unknown = {}) => call<T>('POST', path, body)

function query(values: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length ? '?' + new URLSearchParams(pairs.map(([k, v]) => [k, String(v)])) : ''
}

// --- who I am

export async function me(): Promise<Me> {
  const found = await get<Me>('/me')
  csrf = found.csrf
  return found
}
/** The session may be a new one afterwards, with another CSRF value. */
async function renew(change: Promise<unknown>): Promise<Me> {
  await change
  return me()
}
export const becomeGuest = (name: string) => renew(post('/guests', { name }))
export const register = (account: { name: string; password: string; email?: string }) =>
  renew(post('/accounts', account))
export const logIn = (name: string, password: string) => renew(post('/session', { name, password }))
export const logOut = () => renew(call('DELETE', '/session'))
export const changeMe = (
  changes: Partial<Pick<Account, 'name' | 'email' | 'webhook'>> & {
    password?: string
    current?: string
  },
) => renew(call('PATCH', '/me', changes))
export const deleteMe = (password: string) =>
  renew(post('/me/delete', password ? { password } : {}))
/** Have the mail sent again that confirms my address. */
export const confirmAgain = () => post<unknown>('/me/email')
export const confirmEmail = (token: string) => post<{ email: string }>('/email', { token })
export const forgotPassword = (name: string) => post<unknown>('/password', { name })
export const renewPassword = (token: string, password: string) =>
  renew(call('PUT', '/password', { token, password }))

export interface Token {
  id: string
  label: string
  created: string
}
export const tokens = () => get<{ tokens: Token[] }>('/tokens').then((found) => found.tokens)
export const makeToken = (label: string) => post<{ token: string }>('/tokens', { label })
export const dropToken = (id: string) => call<unknown>('DELETE', `/tokens/${id}`)

// --- games there are

export const catalogue = () => get<Catalogue>('/catalogue')
export const places = (game: string, options: Record<string, unknown>) =>
  post<Places>(`/catalogue/${game}/seats`, { options })
const ruleBooks = new Map<string, Promise<Record<string, Rule>>>()
/** The rule index of a game, fetched once. */
export function rules(game: string): Promise<Record<string, Rule>> {
  let book = ruleBooks.get(game)
  if (!book) {
    book = get<Record<string, Rule>>(`/rules/${game}`)
    book.catch(() => ruleBooks.delete(game))
    ruleBooks.set(game, book)
  }
  return book
}
export const verify = (save: string) => call<Verification>('POST', '/verify', save)

// --- a table

export type SeatKind = 'me' | 'here' | 'invited' | 'open' | 'bot'
export interface NewSeat {
  powers: string[]
  kind: SeatKind
  player?: string
  bot?: string
}
export interface NewGame {
  game?: string
  options?: Record<string, unknown>
  save?: string
  title?: string
  access: 'private' | 'link' | 'public'
  clock?: { hours: number; then: 'wait' | 'bot' } | null
  seats: NewSeat[]
}
export const createGame = (game: NewGame) => post<GameInfo>('/games', game)
/** What a save is, if a game can go on from it here. */
export interface Looked {
  game: string
  title: string
  options: Record<string, unknown>
  decisions: number
  result: { winners: string[]; reason: string } | null
}
export const lookAtSave = (save: string) => call<Looked>('POST', '/games/saves', save)
/** A table of its own that goes on from a version of a game. */
export const branch = (id: string, at: number) => post<GameInfo>(`/games/${id}/branch`, { at })
export const games = (list: 'mine' | 'open' | 'public') =>
  get<{ games: GameInfo[] }>('/games' + query({ list })).then((found) => found.games)
export const gameInfo = (id: string, invite = '') =>
  get<GameInfo>(`/games/${id}` + query({ invite }))
export const join = (
  id: string,
  how: { invite?: string; seat?: number; player?: string; commitment: string },
) => post<GameInfo>(`/games/${id}/join`, how)
/** Let somebody else sit there, before the start. */
export const changeSeat = (
  id: string,
  seat: number,
  change: { kind: SeatKind; player?: string; bot?: string },
) => post<GameInfo>(`/games/${id}/seats/${seat}`, change)
export const leave = (id: string) => post<GameInfo>(`/games/${id}/leave`)
export const start = (id: string, commitment: string) =>
  post<GameInfo>(`/games/${id}/start`, { commitment })
export const reveal = (id: string, entropy: string) =>
  post<GameInfo>(`/games/${id}/reveal`, { entropy })
export const giveUp = (id: string) => call<unknown>('DELETE', `/games/${id}`)
export const resign = (id: string, power: string, whole: boolean) =>
  post<GameInfo>(`/games/${id}/resign`, { power, whole })
/** What would come of resigning. */
export interface Consequence {
  powers: string[]
  ends: boolean
  winners: string[]
}
export const consequence = (id: string, power: string, whole: boolean) =>
  post<Consequence>(`/games/${id}/resign/consequence`, { power, whole })
export const takeOver = (id: string, seat: number) =>
  post<GameInfo>(`/games/${id}/takeover`, { seat })
export const comeBack = (id: string) => post<GameInfo>(`/games/${id}/return`)
export const standing = (id: string, power: string, windows: string[]) =>
  post<GameInfo>(`/games/${id}/standing`, { power, windows })
export const rematch = (id: string) => post<GameInfo>(`/games/${id}/rematch`)

export async function saveText(id: string): Promise<string> {
  let answer: Response
  try {
    answer = await fetch(`/api/games/${id}/save`)
  } catch {
    throw new ApiError(0, 'The server cannot be reached. Check your connection and try again.')
  }
  const text = await answer.text()
  if (answer.ok) return text
  let error = `The server answered ${answer.status}.`
  try {
    error = JSON.parse(text).error ?? error
  } catch {
    // Not our server's words: the status has to do.
  }
  throw new ApiError(answer.status, error)
}

// --- playing

export const decide = (id: string, power: string, decision: Decision, version: number) =>
  post<{ version: number }>(`/games/${id}/decisions`, { power, decision, version })
export const takeBack = (id: string, power: string, version: number, of: number[]) =>
  post<{ version: number; lost: number }>(`/games/${id}/undo`, { power, version, of })
/** The question as it would be after some orders, which are not given yet. */
export const draft = (id: string, power: string, first: Decision[]) =>
  post<Draft>(`/games/${id}/draft`, { power, first })
/** What it takes to give courses other capacities, or to lay them. */
export const plan = (
  id: string,
  power: string,
  wanted: { ends: [string, string]; capacity: number }[],
) => post<Plan>(`/games/${id}/plan`, { power, wanted })
export const form = (id: string, power: string, kind = '') =>
  get<Form>(`/games/${id}/form` + query({ power, kind }))
export const check = (id: string, power: string, decision: Decision) =>
  post<{ ok: boolean; reason: string; rule: string }>(`/games/${id}/check`, { power, decision })
export const reach = (
  id: string,
  power: string,
  space: string,
  chosen: Record<string, number>,
  kind = '',
  some = false,
) => post<Reach>(`/games/${id}/reach`, { power, space, chosen, kind, some })
/** The odds in a space, as it stands or after decisions. */
export const odds = (
  id: string,
  power: string,
  space: string,
  decisions: Decision[],
  at?: number,
) =>
  post<{ odds: Odds | null; reason: string }>(`/games/${id}/odds`, {
    power,
    space,
    decision: decisions[decisions.length - 1],
    first: decisions.slice(0, -1),
    at,
  }).then((answer) => answer.odds)
/** A battle that somebody thinks of; without numbers that of the map. */
export const whatIf = (
  id: string,
  asked: {
    power: string
    space: string
    attack?: Record<string, number>
    defend?: Record<string, number>
    settings?: Record<string, string>
  },
) =>
  post<{ calculator: Calculator | null; odds: Odds | null; reason: string }>(
    `/games/${id}/what-if`,
    asked,
  )
/** What I could change by hand, or why nothing can be changed. */
export const editor = (id: string, asked: { power: string; space: string; of: string }) =>
  get<{ editor: Editor | null; reason: string }>(`/games/${id}/editor` + query(asked))
export const edit = (id: string, power: string, patch: Record<string, unknown>, version: number) =>
  post<{ version: number }>(`/games/${id}/edit`, { power, patch, version })
export const view = (id: string, as: string, at?: number) =>
  get<View>(`/games/${id}/view` + query({ as, at }))
export const history = (id: string, as: string) =>
  get<History>(`/games/${id}/history` + query({ as }))
export const replay = (id: string, as: string, after: number, most: number) =>
  get<Replay>(`/games/${id}/replay` + query({ as, after, most }))
export const report = (id: string, as: string) =>
  get<{ report: Report | null }>(`/games/${id}/report` + query({ as })).then((one) => one.report)
export const chat = (id: string, text: string) => post<unknown>(`/games/${id}/chat`, { text })

/** A player's own share in the dice: 32 random bytes in hexadecimal. */
export function entropy(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
