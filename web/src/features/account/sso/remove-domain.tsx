import { type SsoDomain, useRemoveDomain } from '../../../api/sso.ts'
import { ConfirmDanger } from '../../../ui/feedback/confirm-danger.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

export function RemoveDomain({ domain, close }: { domain: SsoDomain; close: () => void }) {
  const remove = useRemoveDomain(domain)
  return (
    <ConfirmDanger
      title={`Remove ${domain.domain}?`}
      action="Remove domain"
      act={async () => {
        await remove.mutateAsync()
        toast('Domain removed')
      }}
      close={close}
    >
      Emails of this domain no longer lead to your provider, and users of it no longer join. Linked users
      still sign in with the link of the account. Another account can then verify the domain.
    </ConfirmDanger>
  )
}
