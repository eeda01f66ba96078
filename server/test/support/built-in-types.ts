/** The catalog of an installation whose operator has added no event types. */
import type { EventTypes } from '../../src/catalog/follow-event-types.ts'
import { builtInCatalog } from '../../src/model/event-type/catalog.ts'

export const builtInTypes: EventTypes = { current: () => builtInCatalog, refresh: async () => {} }
