// Who is at this browser. Nobody has to register: who plays without an account becomes a guest.

import * as api from './api'
import { keep, recall } from './storage'
import type { Account, Me } from './types'

const NAME = 'sandtable.name'

class Session {
  account = $state.raw<Account | null>(null)
  known = $state(false)
  /** Whether this server sends mail. */
  mail = $state(false)

  #loading: Promise<void> | null = null

  /** Find out who is here; asked once. */
  load(): Promise<void> {
    this.#loading ??= api.me().then(
      (me) => this.#take(me),
      (failure) => {
        this.#loading = null
        throw failure
      },
    )
    return this.#loading
  }

  /** Find out again: another page of this browser may have logged out. */
  renew(): Promise<void> {
    this.#loading = null
    return this.load()
  }

  /** What somebody without an account has typed as a name and not yet played under. */
  wanted = ''

  /** The name to propose where a name is asked for. */
  get name(): string {
    if (this.account && !this.account.guest) return this.account.name
    return this.wanted || (this.account?.name ?? recall(NAME))
  }

  /** Be somebody: a guest of this name, if there is no account yet. */
  async ensure(name: string): Promise<Account> {
    await this.load()
    const wanted = name.trim() || 'Guest'
    if (!this.account) {
      this.#take(await api.becomeGuest(wanted))
    } else if (this.account.guest && name.trim() && this.account.name !== wanted) {
      this.#take(await api.changeMe({ name: wanted }))
    }
    keep(NAME, wanted)
    return this.account!
  }

  async register(name: string, password: string, email: string): Promise<void> {
    await this.load()
    this.#take(await api.register(email ? { name, password, email } : { name, password }))
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.load()
    this.#take(await api.logIn(name, password))
  }

  async logOut(): Promise<void> {
    this.#take(await api.logOut())
  }

  async renewPassword(token: string, password: string): Promise<void> {
    await this.load()
    this.#take(await api.renewPassword(token, password))
  }

  async delete(password: string): Promise<void> {
    this.#take(await api.deleteMe(password))
  }

  async change(changes: Parameters<typeof api.changeMe>[0]): Promise<void> {
    this.#take(await api.changeMe(changes))
  }

  #take(me: Me): void {
    this.account = me.account
    this.mail = me.mail
    this.known = true
  }
}

export const session = new Session()
