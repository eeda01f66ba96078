/** Email domains of the account, with the DNS records that prove them. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { type SsoDomain, useVerifyDomain } from '../../../api/sso.ts'
import { lazyPart } from '../../../lib/load-chunk.ts'
import { Mono } from '../../../ui/data/mono.tsx'
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx'
import { StateBadge } from '../../../ui/feedback/state-badge.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'
import account from '../account.module.css'
import styles from './sso.module.css'
import { useMayChangeSso } from './use-may-change-sso.ts'

/** Loaded on demand. */
const AddDomain = lazyPart(async () => (await import('./add-domain.tsx')).AddDomain)
const RemoveDomain = lazyPart(async () => (await import('./remove-domain.tsx')).RemoveDomain)

export function Domains({ domains }: { domains: readonly SsoDomain[] }) {
  const mayChange = useMayChangeSso()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {domains.length === 0 ? (
        <p className={styles.empty}>No domains. Users need the sign-in link.</p>
      ) : (
        <ul className={account.sessions}>
          {domains.map((domain) => (
            <Domain key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
      {mayChange && (
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
          Add domain
        </Button>
      )}
      <Suspense>{isOpen && <AddDomain close={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function Domain({ domain }: { domain: SsoDomain }) {
  const mayChange = useMayChangeSso()
  const verify = useVerifyDomain(domain)
  const [isOpen, setOpen] = useState(false)
  const { domain: name, verified_at: verifiedAt } = domain
  return (
    <li className={account.session}>
      <div className={account.sessionText}>
        <p className={account.name}>
          {name}
          {verifiedAt === null ? (
            <StateBadge tone="warning" label="Not verified" />
          ) : (
            <StateBadge tone="success" label="Verified" />
          )}
        </p>
        <p className={styles.muted}>
          {verifiedAt === null ? (
            'Has no effect yet. Add this record at your DNS provider, then verify the domain.'
          ) : (
            <>
              Verified <RelativeTime at={verifiedAt} />
            </>
          )}
        </p>
      </div>
      {mayChange && (
        <div className={styles.actions}>
          {verifiedAt === null && (
            <Button
              size="xs"
              loading={verify.isPending}
              aria-label={`Verify ${name}`}
              onClick={() => verify.mutate(undefined, { onSuccess: () => toast(`${name} verified`) })}
            >
              Verify
            </Button>
          )}
          <Button variant="default" size="xs" aria-label={`Remove ${name}`} onClick={() => setOpen(true)}>
            Remove
          </Button>
        </div>
      )}
      {verifiedAt === null && (
        <div className={styles.wholeLine}>
          <dl className={styles.facts}>
            <dt>Type</dt>
            <dd>TXT</dd>
            <dt>Name</dt>
            <dd>
              <Mono text={domain.record_name} label={`record name of ${name}`} />
            </dd>
            <dt>Value</dt>
            <dd>
              <Mono text={domain.record_value} label={`record value of ${name}`} />
            </dd>
          </dl>
        </div>
      )}
      {verify.error !== null && (
        <div className={styles.wholeLine}>
          <ErrorNotice error={verify.error} />
        </div>
      )}
      <Suspense>{isOpen && <RemoveDomain domain={domain} close={() => setOpen(false)} />}</Suspense>
    </li>
  )
}
