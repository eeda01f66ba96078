/** Runs a command of the palette, with the same dialogs and confirmations as the pages. Loaded with the first command. */
import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSignOut } from '../../api/auth.ts'
import { toApiSearch } from '../../api/events.ts'
import type { HookWithHealth } from '../../api/types.ts'
import { useRotateWebhookSecret, webhookQuery } from '../../api/webhooks.ts'
import { StartReplay } from '../../features/replays/start-replay.tsx'
import { RotateSecret } from '../../features/webhooks/actions/rotate-secret.tsx'
import { useDisable } from '../../features/webhooks/actions/use-disable.tsx'
import { useRetryNow } from '../../features/deliveries/use-retry-now.ts'
import { WebhookDialogs } from '../../features/webhooks/actions/webhook-dialogs.tsx'
import { describeError } from '../../messages/errors.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { Command, WebhookAction } from './commands.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

interface RunCommandProps {
  command: Command
  close: () => void
}

export function RunCommand({ command, close }: RunCommandProps) {
  switch (command.kind) {
    case 'shortcuts':
      return <ShortcutsDialog close={close} />
    case 'theme':
      return <SetTheme scheme={command.scheme} close={close} />
    case 'signOut':
      return <SignOut close={close} />
    case 'webhook':
      return <WebhookCommand id={command.id} action={command.action} close={close} />
  }
}

/** Runs once, then closes. */
function useOnce(run: () => void, close: () => void): void {
  const hasRun = useRef(false)
  useEffect(() => {
    if (hasRun.current) return
    hasRun.current = true
    run()
    close()
  })
}

function SetTheme({ scheme, close }: Pick<Extract<Command, { kind: 'theme' }>, 'scheme'> & Closable) {
  const { setColorScheme } = useMantineColorScheme()
  useOnce(() => setColorScheme(scheme), close)
  return null
}

interface Closable {
  close: () => void
}

function SignOut({ close }: Closable) {
  const signOut = useSignOut()
  useOnce(
    () =>
      signOut.mutate(undefined, { onError: (error) => toast(describeError(error, true).title, 'danger') }),
    close,
  )
  return null
}

function WebhookCommand({ id, action, close }: { id: number; action: WebhookAction } & Closable) {
  const { data, error } = useQuery(webhookQuery(id))
  if (data !== undefined) return <RunOnWebhook webhook={data} action={action} close={close} />
  return error === null ? null : <Failed text={describeError(error, false).title} close={close} />
}

function Failed({ text, close }: { text: string } & Closable) {
  useOnce(() => toast(text, 'danger'), close)
  return null
}

interface OnWebhook extends Closable {
  webhook: HookWithHealth
}

function RunOnWebhook({ action, ...props }: OnWebhook & { action: WebhookAction }) {
  const { webhook, close } = props
  switch (action) {
    case 'test':
    case 'enable':
      return <WebhookDialogs request={{ kind: action, webhook }} close={close} />
    case 'replay':
      return <ReplayRecent {...props} />
    case 'rotate':
      return <Rotate {...props} />
    case 'disable':
      return <Disable {...props} />
    case 'retry':
      return <Retry {...props} />
  }
}

/** Replays the failures of the last 24 hours. */
function ReplayRecent({ webhook: { hook }, close }: OnWebhook) {
  const [search] = useState(() => toApiSearch({ hook_id: hook.id, state: 'failed', since: '24h' }))
  return <StartReplay selection={{ search }} close={close} />
}

function Rotate({ webhook: { hook }, close }: OnWebhook) {
  const rotate = useRotateWebhookSecret(hook.id)
  const navigate = useNavigate()
  return (
    <RotateSecret
      hook={hook}
      rotate={async () => {
        await rotate.mutateAsync()
        toast('Secret rotated. Reveal it on the page of the webhook.')
        void navigate({ to: '/webhooks/$id', params: { id: String(hook.id) } })
      }}
      close={close}
    />
  )
}

function Disable({ webhook: { hook }, close }: OnWebhook) {
  const disable = useDisable()
  useOnce(() => disable(hook), close)
  return null
}

function Retry({ webhook: { hook }, close }: OnWebhook) {
  const { retry } = useRetryNow()
  useOnce(() => retry(hook), close)
  return null
}
