/** Commands of the command palette: actions on webhooks and general ones. Titles and search terms are here. */
import type { MantineColorScheme } from '@mantine/core'
import type { Access } from '../../api/access.ts'
import type { Role } from '../../api/client.ts'

export type WebhookAction = 'test' | 'retry' | 'replay' | 'disable' | 'enable' | 'rotate'

export type Command =
  | { kind: 'webhook'; action: WebhookAction; id: number }
  | { kind: 'theme'; scheme: MantineColorScheme }
  | { kind: 'signOut' }
  | { kind: 'shortcuts' }

export interface WebhookCommand {
  action: WebhookAction
  /** Followed by the name of the webhook. */
  title: string
  /** Words that select the action, at the start or end of the search text. */
  words: readonly string[]
  isFor: (webhook: { enabled: boolean }) => boolean
  /** The least role that may run it. */
  role: Role
}

const always = (): boolean => true
const ifEnabled = ({ enabled }: { enabled: boolean }): boolean => enabled

const webhookCommands: readonly WebhookCommand[] = [
  { action: 'test', title: 'Send test event to', words: ['test', 'send'], isFor: ifEnabled, role: 'support' },
  { action: 'retry', title: 'Retry now:', words: ['retry'], isFor: ifEnabled, role: 'developer' },
  {
    action: 'replay',
    title: 'Replay failures of the last 24 hours:',
    words: ['replay', 'redeliver', 'resend'],
    isFor: always,
    role: 'developer',
  },
  { action: 'disable', title: 'Disable', words: ['disable', 'pause'], isFor: ifEnabled, role: 'developer' },
  {
    action: 'enable',
    title: 'Enable',
    words: ['enable', 'resume'],
    isFor: ({ enabled }) => !enabled,
    role: 'developer',
  },
  {
    action: 'rotate',
    title: 'Rotate secret of',
    words: ['rotate', 'secret'],
    isFor: always,
    role: 'developer',
  },
]

/** Commands that the member may run. */
export function webhookCommandsFor({ hasRole }: Pick<Access, 'hasRole'>): readonly WebhookCommand[] {
  return webhookCommands.filter(({ role }) => hasRole(role))
}

const minPrefix = 3

/** Splits "disable orders" or "orders disable" into the command and the webhook. "dis" is enough for "disable". */
export function splitCommand(
  commands: readonly WebhookCommand[],
  text: string,
): { command: WebhookCommand; rest: string } | undefined {
  const words = text.toLowerCase().split(/\s+/)
  for (const [index, rest] of [
    [0, words.slice(1)],
    [words.length - 1, words.slice(0, -1)],
  ] as const) {
    const typed = words[index] ?? ''
    const command = commands.find(
      (candidate) => typed.length >= minPrefix && candidate.words.some((word) => word.startsWith(typed)),
    )
    if (command !== undefined) return { command, rest: rest.join(' ') }
  }
  return undefined
}
