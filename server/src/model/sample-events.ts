/** Sample events of each type, for previews, tests and the API reference. The first of a type is the default. */
import type { DeliverableType } from './event.ts'
import type { Payloads } from './event-payloads.ts'

const time = 1_763_197_200

export const samples: { [Type in DeliverableType]: readonly [Payloads[Type], ...Payloads[Type][]] } = {
  sms_mo: [
    {
      id: '77001',
      sender: '491700000001',
      system: '491700000002',
      text: 'Hello from Hookline',
      time: String(time),
      message_type: 'SMS',
    },
  ],
  dlr: [
    {
      msg_id: '77002',
      status: 'DELIVERED',
      timestamp: '2025-11-15 09:00:00.000000',
      foreign_id: 'order-1001',
    },
  ],
  wa_mo: [
    {
      id: '77009',
      sender: '491700000001',
      system: '491700000002',
      time: String(time),
      text: 'Hello from Hookline',
    },
  ],
  voice_call: [{ id: 77_003, caller: '491700000001', system: '491700000002', time }],
  voice_status: [
    {
      id: '77004',
      callerId: '491700000002',
      recipient: '491700000001',
      duration: '42',
      pricePerMinute: 0.045,
      status: 'completed',
      timestamp: time,
    },
  ],
  voice_dtmf: [
    {
      id: 77_005,
      callerId: '491700000002',
      recipient: '491700000001',
      system: '491700000002',
      dtmf_digit: 5,
      duration: 12,
      pricePerMinute: 0.045,
      total_price: 0.045,
      status: 'in-progress',
      timestamp: time,
    },
  ],
  tracking: [
    {
      type: 'click',
      sms_id: '77006',
      sms_label: 'newsletter',
      tracking_url: 'https://example.com/t/abc',
      final_url: 'https://example.com/offer',
      total_clicks: 1,
      total_views: 2,
    },
  ],
  rcs: [
    {
      id: 77_007,
      agent_id: 'example-agent',
      sender: '491700000001',
      time,
      message_type: 'RCS',
      content_type: 'text',
      text: 'Hello from Hookline',
    },
    {
      msg_id: '77008',
      agent_id: 'example-agent',
      sender: '491700000001',
      status: 'READ',
      foreign_id: null,
      timestamp: '2025-11-15 09:00:00.000000',
    },
  ],
}
