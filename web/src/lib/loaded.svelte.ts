// A save that somebody has chosen on the start page, on its way to the page that sets a table up.

export const loaded = $state<{ name: string; text: string }>({ name: '', text: '' })
