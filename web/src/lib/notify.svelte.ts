// Messages of the browser itself, for whoever looks elsewhere and has asked for them.

import { keep, recall } from './storage'

const KEY = 'sandtable.notify'
const there = typeof Notification !== 'undefined'

class Notify {
  /** Whether they are wanted, and the browser lets us. */
  on = $state(there && recall(KEY) === 'yes' && Notification.permission === 'granted')

  /** Ask the browser, which asks the person; '' or why there will be none. */
  async choose(wanted: boolean): Promise<string> {
    this.on = false
    keep(KEY, wanted ? 'yes' : '')
    if (!wanted) return ''
    if (!there) return 'This browser has no notifications.'
    if ((await Notification.requestPermission()) !== 'granted') {
      return 'The browser does not allow it: its settings for this page can change that.'
    }
    this.on = true
    return ''
  }

  /** Tell something about a game, unless its page is being looked at. A newer message about the same
   *  game takes the place of the older one. */
  tell(title: string, text: string, game: string): void {
    if (!this.on || !document.hidden) return
    try {
      const shown = new Notification(title, { body: text, tag: game, icon: '/icon.svg' })
      shown.onclick = () => {
        window.focus()
        shown.close()
      }
    } catch {
      // Phones want a service worker for it: the title of the page has to do there.
    }
  }
}

export const notify = new Notify()
