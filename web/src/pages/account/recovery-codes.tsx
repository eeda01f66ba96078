/** The recovery codes, once: to be copied, saved or printed. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import dialog from '../../parts/dialog.module.css'
import { Notice } from '../../parts/notice.tsx'
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
    <Dialog title="The second factor is on" close={close} isBusy size="lg">
      <div className={dialog.body}>
        <Notice tone="attention" title="Keep these codes somewhere safe.">
          Each works once instead of a code from your phone, when you have lost it. They are not shown again.
        </Notice>
        <ul className={styles.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={dialog.actions}>
          <Copy text={codes.join('\n')} what="codes" isLarge />
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => save(text)}>
            Download
          </Button>
          <Button onClick={close}>I have kept them</Button>
        </div>
      </div>
    </Dialog>
  )
}
