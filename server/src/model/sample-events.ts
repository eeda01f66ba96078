/** A sample event of each type, for previews and tests. */
import type { DeliverableType } from './event.ts'

const time = '1763197200'

export const sampleData: Record<DeliverableType, Record<string, string | number>> = {
  sms_mo: {
    id: '77001',
    sender: '491700000001',
    system: '491700000002',
    text: 'Hello from Hookline',
    time,
    message_type: 'SMS',
  },
  dlr: { msg_id: '77002', status: 'DELIVERED', timestamp: time, foreign_id: 'order-1001' },
  voice_call: { id: '77003', caller: '491700000001', system: '491700000002', time },
  voice_status: {
    id: '77004',
    callerId: '491700000002',
    recipient: '491700000001',
    duration: 42,
    pricePerMinute: 0.045,
    status: 'completed',
    timestamp: time,
  },
  voice_dtmf: {
    id: '77005',
    callerId: '491700000002',
    recipient: '491700000001',
    system: '491700000002',
    dtmf_digit: '5',
    duration: 12,
    pricePerMinute: 0.045,
    total_price: 0.045,
    status: 'in-progress',
    timestamp: time,
  },
  tracking: {
    type: 'click',
    sms_id: '77006',
    sms_label: 'newsletter',
    tracking_url: 'https://example.com/t/abc',
    final_url: 'https://example.com/offer',
    total_clicks: 1,
    total_views: 2,
  },
  rcs: {
    id: '77007',
    agent_id: 'example-agent',
    sender: '491700000001',
    time,
    message_type: 'RCS',
    content_type: 'text',
    text: 'Hello from Hookline',
  },
}
