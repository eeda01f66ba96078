/** Whether single-key shortcuts are on. Users of speech input type single keys by accident, so they can switch them off. */
const storageName = 'hookline-shortcuts'

export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(storageName) !== 'off'
  } catch {
    return true
  }
}

export function switchShortcuts(isOn: boolean): void {
  try {
    localStorage.setItem(storageName, isOn ? 'on' : 'off')
  } catch {
    // Storage is not allowed: they stay on.
  }
}
