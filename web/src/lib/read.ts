// What I have read of a game's chat, also when the page is loaded again.

import { keep, recall } from './storage'
import type { Remark } from './types'

const key = (game: string) => `sandtable.read.${game}`

/** The number of the last remark that I have read; 0 if none. */
export const lastRead = (game: string): number => Number(recall(key(game))) || 0

/** All of these have been read; the number of the last. */
export function markRead(game: string, chat: Remark[]): number {
  const last = Math.max(lastRead(game), ...chat.map((remark) => remark.id))
  keep(key(game), String(last))
  return last
}

/** How many came after `read`. */
export const unread = (chat: Remark[], read: number): number =>
  chat.filter((remark) => remark.id > read).length
