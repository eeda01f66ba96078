/** Labels of the built-in names. Types of the operator have their own. */
import type { PartName } from '../event-part.ts'
import type { EventType } from '../hook.ts'

export const builtInLabels: Readonly<Record<EventType | PartName, string>> = {
  all: 'All events',
  rcs: 'RCS',
  sms_mo: 'Inbound SMS',
  dlr: 'Delivery report',
  voice_call: 'Inbound call',
  voice_status: 'Call status',
  voice_dtmf: 'Key pressed',
  tracking: 'Click or view',
  wa_mo: 'Inbound WhatsApp',
  rcs_mo: 'Inbound RCS',
  rcs_dlr: 'RCS status',
}
