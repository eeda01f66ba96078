/* Generated from the event schemas by `npm run generate`. */
/* oxlint-disable */

export type paths = Record<string, never>
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    /**
     * @example {
     *       "id": 77007,
     *       "agent_id": "example-agent",
     *       "sender": "491700000001",
     *       "time": 1763197200,
     *       "message_type": "RCS",
     *       "content_type": "text",
     *       "text": "Hello from Hookline"
     *     }
     * @example {
     *       "msg_id": "77008",
     *       "agent_id": "example-agent",
     *       "sender": "491700000001",
     *       "status": "READ",
     *       "foreign_id": null,
     *       "timestamp": "2025-11-15 09:00:00.000000"
     *     }
     */
    rcs:
      | {
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description ID of the sent message. */
          msg_id: string
          /** @enum {string} */
          status: 'IS_TYPING' | 'READ' | 'DELIVERED'
          /** @description The ID that the sender gave to the message. */
          foreign_id: string | null
          /** @description Time of the status. */
          timestamp: string
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'text'
          /** @description Text of the message. */
          text: string
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'suggestion_response'
          suggestion_response: {
            postbackData: string
            text: string
            /** @constant */
            type: 'REPLY'
          }
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'user_file'
          user_file: {
            payload: {
              fileUri: string
              mimeType: string
              fileSizeBytes: number
              fileName: string
            }
            thumbnail?: {
              fileUri: string
              mimeType: string
              fileSizeBytes: number
            }
          }
        }
      | {
          /** @description ID of the message. */
          id: number
          /** @description ID of the RCS agent. */
          agent_id: string
          /** @description Number of the sender. */
          sender: string
          /** @description Unix time in seconds. */
          time: number
          /** @constant */
          message_type: 'RCS'
          /** @description The ID that the sender gave to the message. */
          foreign_id?: string
          /** @constant */
          content_type: 'location'
          location: {
            latitude: number
            longitude: number
          }
        }
    /**
     * @example {
     *       "id": "77001",
     *       "sender": "491700000001",
     *       "system": "491700000002",
     *       "text": "Hello from Hookline",
     *       "time": "1763197200",
     *       "message_type": "SMS"
     *     }
     */
    sms_mo: {
      /** @description ID of the message. */
      id: string
      /** @description Number of the sender. */
      sender: string
      /** @description The inbound number. */
      system: string
      /** @description Text of the message. */
      text: string
      /** @description Unix time in seconds, as a string. */
      time: string
      /** @constant */
      message_type: 'SMS'
    }
    /**
     * @example {
     *       "msg_id": "77002",
     *       "status": "DELIVERED",
     *       "timestamp": "2025-11-15 09:00:00.000000",
     *       "foreign_id": "order-1001"
     *     }
     */
    dlr: {
      /** @description ID of the sent message. */
      msg_id: string
      /** @enum {string} */
      status:
        | 'DELIVERED'
        | 'NOTDELIVERED'
        | 'BUFFERED'
        | 'TRANSMITTED'
        | 'ACCEPTED'
        | 'EXPIRED'
        | 'REJECTED'
        | 'FAILED'
        | 'UNKNOWN'
      /** @description Time of the status, as YYYY-MM-DD HH:MM:SS.ffffff. */
      timestamp: string
      /** @description The ID that the sender gave to the message. */
      foreign_id: string | null
    }
    /**
     * @example {
     *       "id": 77003,
     *       "caller": "491700000001",
     *       "system": "491700000002",
     *       "time": 1763197200
     *     }
     */
    voice_call: {
      /** @description ID of the call. */
      id: number
      /** @description Number of the caller. */
      caller: string
      /** @description The inbound number. */
      system: string
      /** @description Unix time in seconds. */
      time: number
    }
    /**
     * @example {
     *       "id": "77004",
     *       "callerId": "491700000002",
     *       "recipient": "491700000001",
     *       "duration": "42",
     *       "pricePerMinute": 0.045,
     *       "status": "completed",
     *       "timestamp": 1763197200
     *     }
     */
    voice_status: {
      /** @description ID of the call. */
      id: string
      /** @description Number of the caller. */
      callerId: string
      /** @description Number of the recipient. */
      recipient: string
      /** @description Seconds, as a string. */
      duration: string
      /** @description Price of a minute. */
      pricePerMinute: number
      /** @description Status of the call. */
      status: string
      /** @description Unix time in seconds. */
      timestamp: number
    }
    /**
     * @example {
     *       "id": 77005,
     *       "callerId": "491700000002",
     *       "recipient": "491700000001",
     *       "system": "491700000002",
     *       "dtmf_digit": 5,
     *       "duration": 12,
     *       "pricePerMinute": 0.045,
     *       "total_price": 0.045,
     *       "status": "in-progress",
     *       "timestamp": 1763197200
     *     }
     */
    voice_dtmf: {
      /** @description ID of the call. */
      id: number
      /** @description Number of the caller. */
      callerId: string
      /** @description Number of the recipient. */
      recipient: string
      /** @description The inbound number. */
      system: string
      /** @description The pressed key. */
      dtmf_digit: number
      /** @description Seconds. */
      duration: number
      /** @description Price of a minute. */
      pricePerMinute: number
      /** @description Price of the call so far. */
      total_price: number
      /** @description Status of the call. */
      status: string
      /** @description Unix time in seconds. */
      timestamp: number
    }
    /**
     * @example {
     *       "type": "click",
     *       "sms_id": "77006",
     *       "sms_label": "newsletter",
     *       "tracking_url": "https://example.com/t/abc",
     *       "final_url": "https://example.com/offer",
     *       "total_clicks": 1,
     *       "total_views": 2
     *     }
     */
    tracking: {
      /** @enum {string} */
      type: 'click' | 'view'
      /** @description ID of the sent message. */
      sms_id: string
      /** @description Label of the sent message. */
      sms_label: string | null
      /** @description URL in the message. */
      tracking_url: string
      /** @description URL that the tracking URL leads to. */
      final_url: string
      /** @description Clicks so far. */
      total_clicks: number
      /** @description Views so far. */
      total_views: number
    }
    /**
     * @example {
     *       "id": "77009",
     *       "sender": "491700000001",
     *       "system": "491700000002",
     *       "time": "1763197200",
     *       "text": "Hello from Hookline"
     *     }
     */
    wa_mo: {
      /** @description ID of the message. */
      id: string
      /** @description Number of the sender. */
      sender: string
      /** @description The inbound number. */
      system: string
      /** @description Unix time in seconds, as a string. */
      time: string
    } & {
      [key: string]: unknown
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export type operations = Record<string, never>

/** Data by event type. */
export type EventDataByType = components['schemas']
