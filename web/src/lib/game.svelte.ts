// A game as this client knows it: kept up to date by the socket, changed by REST. What the socket
// tells is shown by the teller (`teller.svelte.ts`): position, log and questions are those of the
// moment that is being told.

import * as api from './api'
import { ApiError, problemOf } from './api'
import { isShared, named } from './shared'
import { Teller, type Frame } from './teller.svelte'
import { powerOf } from './theme'
import { toasts } from './toasts.svelte'
import type {
  About,
  Back,
  Decision,
  Form,
  GameInfo,
  History,
  Line,
  Message,
  Moved,
  Odds,
  Pending,
  Picture,
  Reach,
  Remark,
  Replay,
  Report,
  SeatInfo,
  View,
} from './types'

const PING_EVERY = 25_000
const SILENCE = 60_000
const LONGEST_WAIT = 15_000

export class GameStore {
  readonly id: string
  /** Tells what happens at a pace at which people can follow. */
  readonly teller = new Teller((power) => {
    const seat = this.seatOf(power)
    return !!seat?.mine && !seat.bot
  })

  info = $state.raw<GameInfo | null>(null)
  about = $state.raw<About | null>(null)
  /** The position now, as those who look may see it. */
  picture = $state.raw<Picture | null>(null)
  log = $state.raw<Line[]>([])
  /** My open requests. */
  pending = $state.raw<Pending[]>([])
  /** What I may do though nobody waits for it. */
  may = $state.raw<Pending[]>([])
  /** The powers that have to decide, mine and others'. */
  waiting = $state.raw<string[]>([])
  /** The power whose last decision I could take back, or ''. */
  undo = $state('')
  /** All of mine that I could take back, the oldest first. */
  back = $state.raw<Back[]>([])
  chat = $state.raw<Remark[]>([])
  version = $state(0)
  /** How many decisions stand. */
  steps = $state(0)
  connected = $state(false)
  /** The connection has been there and is lost. */
  lost = $state(false)
  /** Why there is nothing to show: no such game, not allowed. */
  refused = $state.raw<ApiError | null>(null)

  /** The request of mine that is being answered, as a form; refreshed with each version. */
  form = $state.raw<Form | null>(null)
  formError = $state('')
  /** The power whose request `form` shows when several of mine have one. */
  asked = $state('')
  /** The kind of the right of `asked` that `form` shows instead, or ''. */
  right = $state('')

  /** A decision is on its way and its effect not yet here. */
  busy = $state(false)
  /** What went wrong with the last decision. */
  problem = $state.raw<ApiError | null>(null)

  /** Which of my players looks; '' is all of mine together. */
  player = $state('')
  /** What is there is still what the last player saw. */
  switching = $state(false)

  /** The position of an earlier version while somebody looks at the past. */
  past = $state.raw<View | null>(null)
  /** What had just happened there: from which line of the log to which. */
  pastLines = $state.raw<[from: number, to: number]>([0, 0])

  /** The position of the moment that is shown, now or in the past. */
  shown = $derived(this.past?.picture ?? this.picture)
  /** The log up to that moment. */
  told = $derived(this.past ? this.log.slice(0, this.pastLines[1]) : this.log)
  /** Whether I have a seat; a spectator has none. */
  seated = $derived((this.info?.you.length ?? 0) > 0)
  myTurn = $derived(this.info?.status === 'running' && this.pending.length > 0)
  /** At one screen, while something secret is decided: the player to hand over to, or ''. */
  handover = $derived.by(() => {
    const you = this.info?.you ?? []
    if (you.length < 2 || !this.picture?.moment.secret) return ''
    const deciding = this.info!.seats.filter(
      (seat) => seat.mine && !seat.bot && seat.powers.some((one) => this.waiting.includes(one)),
    ).map((seat) => seat.player)
    if (deciding.includes(this.player) || (!deciding.length && this.player)) return ''
    return deciding[0] ?? you[0]!
  })

  #socket: WebSocket | null = null
  #closed = false
  #attempts = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  #heard = 0
  #formVersion = -1
  #formAsked = 0
  #refreshing: Promise<void> = Promise.resolve()
  #pastAsked = 0
  #arrivals: { version: number; done: () => void }[] = []
  /** What the socket has told, though it may not have been shown yet. */
  #told: { version: number; picture: Picture; log: Line[] } | null = null

  constructor(info: GameInfo) {
    this.id = info.id
    this.info = info
    this.waiting = info.waiting
  }

  // --- the connection

  /** Connect; call the returned function when the game is no longer looked at. */
  open(): () => void {
    this.#connect()
    const wake = () => {
      if (document.visibilityState === 'visible' && !this.#socket) this.#connect()
    }
    const sleep = () => {
      this.lost ||= this.connected
      this.#drop()
    }
    document.addEventListener('visibilitychange', wake)
    window.addEventListener('online', wake)
    window.addEventListener('offline', sleep)
    this.#pinging = setInterval(() => this.#keepAlive(), PING_EVERY)
    return () => {
      this.#closed = true
      this.teller.clear()
      clearTimeout(this.#retry)
      clearInterval(this.#pinging)
      document.removeEventListener('visibilitychange', wake)
      window.removeEventListener('online', wake)
      window.removeEventListener('offline', sleep)
      this.#socket?.close()
    }
  }

  /** Look as another of my players: everything is fetched anew. */
  lookAs(player: string): void {
    if (player === this.player) return
    this.player = player
    this.switching = true
    this.pending = []
    this.may = []
    this.form = null
    this.past = null
    this.undo = ''
    this.back = []
    this.teller.clear()
    this.#drop()
    this.#connect()
  }

  #drop(): void {
    const socket = this.#socket
    this.#socket = null
    this.connected = false
    socket?.close()
  }

  #connect(): void {
    clearTimeout(this.#retry)
    if (this.#closed || this.#socket) return
    this.teller.skip()
    const known = this.picture !== null && !this.switching
    const about = new URLSearchParams({
      version: String(known ? this.version : 0),
      log: String(known ? this.log.length : 0),
    })
    if (this.player) about.set('as', this.player)
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const url = `${scheme}://${location.host}/api/games/${this.id}/socket?${about}`
    const socket = new WebSocket(url)
    this.#socket = socket
    this.#heard = Date.now()
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return
      this.#heard = Date.now()
      try {
        this.take(JSON.parse(event.data as string) as Message)
      } catch (failure) {
        console.error(failure)
      }
    }
    socket.onclose = () => {
      if (this.#socket !== socket) return
      this.#socket = null
      if (this.connected) this.lost = true
      this.connected = false
      this.#again()
    }
  }

  #again(): void {
    if (this.#closed) return
    const wait = Math.min(LONGEST_WAIT, 500 * 2 ** this.#attempts) * (0.75 + Math.random() / 2)
    this.#attempts += 1
    this.#retry = setTimeout(() => void this.#askAndConnect(), wait)
  }

  /** A socket that is refused does not say why: the REST answer does. */
  async #askAndConnect(): Promise<void> {
    try {
      this.info = await api.gameInfo(this.id)
      this.refused = null
    } catch (failure) {
      const problem = problemOf(failure)
      if ([401, 403, 404].includes(problem.status)) {
        this.refused = problem
        return
      }
    }
    this.#connect()
  }

  #keepAlive(): void {
    if (!this.#socket) return
    if (Date.now() - this.#heard > SILENCE) {
      this.lost ||= this.connected
      this.#drop()
      this.#connect()
    } else if (this.#socket.readyState === WebSocket.OPEN) {
      this.#send({ type: 'ping' })
    }
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  // --- what the server tells

  /** Take a message of the socket in. */
  take(message: Message): void {
    switch (message.type) {
      case 'hello':
        this.connected = true
        this.lost = false
        this.switching = false
        this.refused = null
        this.#attempts = 0
        this.info = message.info
        this.about = message.about
        this.chat = message.chat
        this.teller.skip()
        this.#told = {
          version: message.version,
          picture: message.picture,
          log: [...this.log.slice(0, message.log.keep), ...message.log.add],
        }
        this.#moved(
          { ...message, waiting: message.info.waiting },
          this.#told.picture,
          this.#told.log,
        )
        break
      case 'update':
        this.#updated(message)
        break
      case 'info': {
        const started = this.info?.status === 'lobby' && message.info.status === 'running'
        this.info = message.info
        // Who sits where may have changed the position itself.
        if (started) this.#send({ type: 'sync', version: 0, log: 0 })
        break
      }
      case 'presence':
        if (this.info) {
          this.info = {
            ...this.info,
            spectators: message.spectators,
            seats: this.info.seats.map((seat) => {
              const online = message.online.includes(seat.number)
              const gone = !online && seat.kind === 'person'
              const away = gone ? (seat.away ?? new Date().toISOString()) : null
              return { ...seat, online, away }
            }),
          }
        }
        break
      case 'chat':
        if (!this.chat.some((remark) => remark.id === message.remark.id)) {
          this.chat = [...this.chat, message.remark]
        }
        break
      case 'error':
        console.error(message.error)
        break
    }
  }

  #updated(message: Extract<Message, { type: 'update' }>): void {
    const before = this.#told
    const { keep, add } = message.log
    if (!before || keep > before.log.length) {
      this.#send({ type: 'sync', version: 0, log: 0 })
      return
    }
    const picture = changed(before.picture, message.changes)
    const log = [...before.log.slice(0, keep), ...add]
    this.#told = { version: message.version, picture, log }
    const frame: Frame = {
      before: before.picture,
      after: picture,
      lines: add,
      first: keep,
      show: (lines, shown) => {
        this.picture = shown
        this.log = log.slice(0, keep + lines)
      },
      end: () => this.#moved(message, picture, log),
    }
    // The past is not disturbed by the present; and what is taken back goes at once.
    if (this.past) frame.end()
    else if (keep < before.log.length) {
      this.teller.skip()
      frame.end()
    } else this.teller.add(frame)
  }

  /** Something has been told to its end. */
  #moved(now: Moved & { waiting: string[] }, picture: Picture, log: Line[]): void {
    this.picture = picture
    this.log = log
    this.pending = now.pending
    this.may = now.may
    this.undo = now.undo
    this.back = now.back
    this.waiting = now.waiting
    this.version = now.version
    this.steps = now.steps
    this.#arrivals = this.#arrivals.filter((arrival) => {
      if (arrival.version <= now.version) arrival.done()
      return arrival.version > now.version
    })
    this.#refreshing = this.#refreshForm()
  }

  /** Answer the request of another of my powers, or use one of its rights; '' leaves the right. */
  ask(power: string, right = ''): void {
    this.asked = power
    this.right = right
    this.#refreshing = this.#refreshForm()
  }

  /** What is told to whoever decides for `power`: at one screen nobody is "you". */
  spoken<T>(told: T, power: string): T {
    return isShared(this) ? named(told, this.name(power)) : told
  }

  async #fetchForm(power: string, right: string): Promise<Form> {
    return this.spoken(await api.form(this.id, power, right), power)
  }

  async #refreshForm(): Promise<void> {
    const mine = this.may.find((one) => one.power === this.asked && one.kind === this.right)
    if (!mine) this.right = ''
    const request = mine ?? this.pending.find((one) => one.power === this.asked) ?? this.pending[0]
    const number = ++this.#formAsked
    if (!request) {
      this.form = null
      this.formError = ''
      this.asked = ''
      return
    }
    this.asked = request.power
    // What the server asks now is not yet to be known.
    if (this.#told && this.#told.version > this.version) {
      if (this.form?.power !== request.power || this.form.kind !== request.kind) this.form = null
      return
    }
    // A form of the same kind stays until the new one is here, so that the panel does not flicker.
    if (this.form && (this.form.power !== request.power || this.form.kind !== request.kind)) {
      this.form = null
    }
    const version = this.version
    try {
      const form = await this.#fetchForm(request.power, this.right)
      if (number !== this.#formAsked) return
      this.form = form
      this.#formVersion = version
      this.formError = ''
    } catch (failure) {
      if (number !== this.#formAsked) return
      const problem = problemOf(failure)
      // Another page of this browser has logged out.
      if (problem.status === 401) this.refused = problem
      // 409: the game has moved on; the next version brings the next form.
      this.formError = problem.status === 409 ? '' : problem.error
      this.form = null
    }
  }

  // --- what I do

  /** Answer a request of mine. False if it was refused: `problem` says why. */
  async submit(decision: Decision, power = this.form?.power ?? this.asked): Promise<boolean> {
    if (this.busy) return false
    this.busy = true
    this.problem = null
    try {
      const asked = JSON.stringify(this.form)
      const right = this.right
      let version = power === this.form?.power ? this.#formVersion : this.version
      for (let again = false; ; again = true) {
        try {
          const answer = await api.decide(this.id, power, decision, version)
          if (right && this.right === right) this.ask(power)
          await this.#arrived(answer.version)
          return true
        } catch (failure) {
          // Somebody else decided at the same time. If my question is still the same, so is my
          // answer.
          if (again || problemOf(failure).status !== 409) throw failure
          await this.#arrival(version + 1)
          const form = await this.#fetchForm(power, right)
          if (JSON.stringify(form) !== asked || this.version <= version) throw failure
          version = this.version
        }
      }
    } catch (failure) {
      const { status, error, rule, field } = problemOf(failure)
      this.problem = new ApiError(status, this.spoken(error, power), rule, field)
      return false
    } finally {
      this.busy = false
    }
  }

  /** Until `version` is shown; should the socket be silent about it, it is asked. */
  async #arrival(version: number): Promise<void> {
    if (this.version >= version) return
    await new Promise<void>((done) => {
      const patience = setTimeout(() => {
        if (this.#told && this.#told.version >= version) return
        this.teller.skip()
        if (this.connected) {
          this.#send({ type: 'sync', version: this.version, log: this.log.length })
        }
        done()
      }, 5000)
      this.#arrivals.push({
        version,
        done: () => {
          clearTimeout(patience)
          done()
        },
      })
    })
  }

  /** Until `version` is here, and with it the next question: the old one is answered already. */
  async #arrived(version: number): Promise<void> {
    await this.#arrival(version)
    while (this.form && this.#formVersion < version) {
      const under = this.#refreshing
      await under
      if (under === this.#refreshing) return
    }
  }

  /** Change the position by hand; why that is refused, or ''. */
  async edit(power: string, patch: Record<string, unknown>): Promise<string> {
    if (this.busy) return 'One moment…'
    this.busy = true
    try {
      const answer = await api.edit(this.id, power, patch, this.version)
      await this.#arrived(answer.version)
      return ''
    } catch (failure) {
      return problemOf(failure).error
    } finally {
      this.busy = false
    }
  }

  /** Let an offer go by. */
  pass(): Promise<boolean> {
    return this.submit({ kind: 'pass' })
  }

  /** Take my last decision back. */
  undoLast(): Promise<boolean> {
    return this.takeBack([])
  }

  /** Take these decisions of mine back, in one step: those after them are made again. */
  async takeBack(versions: number[]): Promise<boolean> {
    if (this.busy || !this.undo) return false
    this.busy = true
    this.problem = null
    try {
      const answer = await api.takeBack(this.id, this.undo, this.version, versions)
      await this.#arrived(answer.version)
      if (answer.lost) {
        const what =
          answer.lost === 1
            ? 'A later order needed it and is'
            : `${answer.lost} later orders needed it and are`
        toasts.add(`${what} taken back as well.`)
      }
      return true
    } catch (failure) {
      this.problem = problemOf(failure)
      return false
    } finally {
      this.busy = false
    }
  }

  check(decision: Decision, power = this.form?.power ?? this.asked) {
    return api.check(this.id, power, decision)
  }

  /** Where the chosen units can go; with `some` those that cannot may stay. */
  async reach(space: string, chosen: Record<string, number>, some = false): Promise<Reach> {
    const power = this.form?.power ?? this.asked
    return this.spoken(await api.reach(this.id, power, space, chosen, this.right, some), power)
  }

  /** The odds of a battle in the position that is shown, or after these decisions of mine. */
  odds(space: string, ...decisions: Decision[]): Promise<Odds | null> {
    const mine = this.info?.seats.find((seat) => seat.mine)?.powers[0]
    const power = this.form?.power || this.asked || mine
    if (!power) return Promise.reject(new ApiError(403, 'Odds are for those who play.'))
    // What the server knows already may not have been told yet.
    const behind = this.past ?? (this.#told && this.#told.version > this.version ? this : null)
    return api.odds(this.id, power, space, decisions, behind?.version)
  }

  async say(text: string): Promise<void> {
    await api.chat(this.id, text)
  }

  /** Always let these offers of `power` go by. */
  async standing(power: string, windows: string[]): Promise<void> {
    this.info = await api.standing(this.id, power, windows)
  }

  // --- the past

  history(): Promise<History> {
    return api.history(this.id, this.player)
  }

  /** Look at the game as it was at `version`, after what was told from which line of the log to
   *  which; null returns to now. */
  async lookBack(version: number | null, lines: [number, number] = [0, 0]): Promise<void> {
    const number = ++this.#pastAsked
    if (this.past) this.teller.clear()
    else this.teller.skip()
    if (version === null) {
      this.past = null
      return
    }
    const view = await api.view(this.id, this.player, version)
    if (number !== this.#pastAsked) return
    this.past = view
    this.pastLines = lines
  }

  /** Look at a position of the past that is known already. */
  lookAt(version: number, picture: Picture, lines: [number, number]): void {
    this.#pastAsked += 1
    this.past = { version, about: this.about!, picture }
    this.pastLines = lines
  }

  replay(after: number, most: number): Promise<Replay> {
    return api.replay(this.id, this.player, after, most)
  }

  report(): Promise<Report | null> {
    return api.report(this.id, this.player)
  }

  // --- names

  /** A power in words. */
  name(power: string): string {
    return powerOf(this.about, power)?.name ?? power
  }

  /** A space in words, if the game has a longer name than the map. */
  place(space: string): string {
    return this.about?.names?.[space] ?? space
  }

  /** Whether `form` belongs to the position, and not to the one before. */
  get settled(): boolean {
    return this.#formVersion === this.version
  }

  /** The spaces to see first: where the war of my power is, of several that whose turn it is. */
  get focus(): string[] {
    const mine = this.about?.powers.filter((one) => this.seatOf(one.id)?.mine) ?? []
    const turn = this.picture?.moment.power
    const power = mine.find((one) => one.id === turn) ?? mine[0]
    return power?.focus ?? this.about?.focus ?? []
  }

  seatOf(power: string): SeatInfo | undefined {
    return this.info?.seats.find((seat) => seat.powers.includes(power))
  }

  /** Who decides for `power`: the person's name, or the bot. */
  runner(power: string): string {
    const seat = this.seatOf(power)
    if (!seat) return ''
    if (seat.bot) return seat.player ? `bot for ${seat.player}` : 'bot'
    return seat.mine && (this.info?.you.length ?? 0) < 2 ? 'you' : seat.player
  }
}

/** A picture with what has changed in it. */
export function changed(picture: Picture, changes: Partial<Picture>): Picture {
  return { ...picture, ...changes, spaces: { ...picture.spaces, ...changes.spaces } }
}
