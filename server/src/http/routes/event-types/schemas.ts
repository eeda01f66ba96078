import { z } from 'zod'
import { deliverableTypes } from '../../../model/event.ts'
import { payloadSchemas } from '../../../model/event-payloads.ts'
import { accountTypes } from '../../../model/event-type/account-types.ts'
import { samples } from '../../../model/sample-events.ts'
import { scopedOperation } from '../../operation/operation.ts'

const jsonObject = z.record(z.string(), z.unknown())

export const readEventSchemasOperation = scopedOperation('hooks:read', {
  id: 'readEventSchemas',
  group: 'Events',
  role: 'viewer',
  summary: 'Read event schemas',
  description:
    'Returns the JSON Schema of `data` and samples of each event type, including custom types of the installation.',
  params: z.object({}),
  response: z.object({
    schemas: z
      .record(z.string(), z.object({ data: jsonObject, samples: z.array(jsonObject) }))
      .meta({ description: 'By event type.' }),
  }),
  errors: [],
  isExpensive: true,
  async handle({ eventTypes }) {
    const added = [...accountTypes, ...eventTypes.current().added].map(({ name, schema, sample }) => [
      name,
      { data: schema, samples: [sample] },
    ])
    return { schemas: { ...builtIn, ...Object.fromEntries(added) } }
  },
})

const builtIn = Object.fromEntries(
  deliverableTypes.map((type) => [
    type,
    { data: z.toJSONSchema(payloadSchemas[type], { io: 'input' }), samples: [...samples[type]] },
  ]),
)
