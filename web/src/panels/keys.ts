/** What can be done with the keyboard on the board. */
export const KEYS: [keys: string[], what: string][] = [
  [['Tab'], 'From part to part: request, log, board'],
  [['←', '→', '↑', '↓'], 'On the board: to the neighbouring space'],
  [['Enter'], 'Choose the space, press the button'],
  [['Esc'], 'Cancel what is being chosen, close a window'],
  [['+', '−', '0'], 'Zoom in, out, show all'],
  [['/'], 'Go to a place by its name'],
  [['U'], 'Undo'],
  [['L'], 'Open the log'],
  [['P'], 'Open the powers'],
  [['C'], 'Open the chat'],
  [['['], 'One step back in the timeline'],
  [[']'], 'One step forward'],
  [['\\'], 'Back to now'],
  [['M'], 'Hide or show the side panel'],
  [['?'], 'This list'],
]
