/** Shows the recovery codes once, to copy or download. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Copy } from '../../ui/data/copy.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import dialog from '../../ui/feedback/dialog.module.css'
import { Notice } from '../../ui/feedback/notice.tsx'
import styles from './account.module.css'

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'hookline-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}

export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const text = `Recovery codes for ${location.host}; each works once.\n\n${codes.join('\n')}\n`
  return (
    <Dialog title="Two-factor authentication is on" close={close} isBusy size="lg">
      <div className={dialog.body}>
        <Notice tone="warning" title="Save these codes">
          Each code works once in place of an authenticator code or passkey. The codes are not shown again.
        </Notice>
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={dialog.actions}>
          <Copy text={codes.join('\n')} label="codes" isLarge />
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => save(text)}>
            Download codes
          </Button>
          <Button onClick={close}>I saved my codes</Button>
        </div>
      </div>
    </Dialog>
  )
}
