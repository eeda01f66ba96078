/** Lists the keyboard shortcuts. */
import { Switch } from '@mantine/core'
import { Fragment, useState } from 'react'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { useAccess } from '../../features/auth/use-access.ts'
import { areShortcutsOn, switchShortcuts } from '../../lib/shortcut-setting.ts'
import { shortcutsFor } from './shortcuts.ts'
import styles from './shortcuts-dialog.module.css'

const groups = [
  { title: 'General', isIn: (keys: readonly string[]) => keys.length === 1 },
  { title: 'Go to', isIn: (keys: readonly string[]) => keys.length > 1 },
]

export function ShortcutsDialog({ close }: { close: () => void }) {
  const shortcuts = shortcutsFor(useAccess())
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <div className={dialog.body}>
        {groups.map(({ title, isIn }) => (
          <section key={title} aria-label={title}>
            <h3 className={styles.group}>{title}</h3>
            <dl className={styles.list}>
              {shortcuts
                .filter(({ keys }) => isIn(keys))
                .map((shortcut) => (
                  <div key={shortcut.title} className={styles.shortcut}>
                    <dt>{shortcut.title}</dt>
                    <dd>
                      {shortcut.keys.map((key, index) => (
                        <Fragment key={key}>
                          {index > 0 && ' then '}
                          <kbd className={styles.key}>{key}</kbd>
                        </Fragment>
                      ))}
                      {shortcut.keys[0] === '/' && (
                        <>
                          {' or '}
                          <kbd className={styles.key}>Ctrl K</kbd>
                        </>
                      )}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <Switch
          label="Use single-key shortcuts"
          description="Ctrl K works in any case."
          checked={isOn}
          onChange={(event) => {
            switchShortcuts(event.currentTarget.checked)
            setOn(event.currentTarget.checked)
          }}
        />
      </div>
    </Dialog>
  )
}
