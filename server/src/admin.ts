/**
 * `npm run admin -- …`: the operator CLI for accounts, logins, members, keys, webhooks, apps, producers, the audit log, event
 * types, notices, single sign-on, stops, quarantined deliveries, imports and exports. Every command takes `--json` for scripts. Passwords can come
 * from standard input, which keeps
 * them out of process lists.
 */
import { Command } from 'commander'
import { addAccountCommands } from './admin/accounts.ts'
import { addAppCommands } from './admin/apps.ts'
import { addAuditCommands } from './admin/audit.ts'
import { addEventTypeCommands } from './admin/event-types.ts'
import { addHookCommands } from './admin/hooks.ts'
import { addKeyCommands } from './admin/keys.ts'
import { addLoginCommands } from './admin/logins.ts'
import { addMemberCommands } from './admin/members.ts'
import { addNoticeCommands } from './admin/notices.ts'
import { addProducerCommands } from './admin/producers.ts'
import { addSsoCommands } from './admin/sso.ts'
import { addStopCommands } from './admin/stops.ts'
import { addQuarantineCommands } from './admin/quarantine.ts'
import { addTransferCommands } from './admin/transfer.ts'
import { commandLine } from './model/command-line.ts'

const program = new Command(commandLine('admin')).description('Hookline operator CLI').showHelpAfterError()
addAccountCommands(program)
addLoginCommands(program)
addMemberCommands(program)
addKeyCommands(program)
addHookCommands(program)
addAppCommands(program)
addProducerCommands(program)
addAuditCommands(program)
addEventTypeCommands(program)
addNoticeCommands(program)
addSsoCommands(program)
addStopCommands(program)
addQuarantineCommands(program)
addTransferCommands(program)
await program.parseAsync()
