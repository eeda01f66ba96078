/** The pages of the guides, loaded together. */
export { GuidesFrame } from './shell/guides-frame.tsx'
export { GuidesPage } from '../features/guides/guides-page.tsx'
export { GuidePage } from '../features/guides/guide-page.tsx'
export { PayloadsPage } from '../features/guides/payloads/payloads-page.tsx'
export { PayloadPage } from '../features/guides/payloads/payload-page.tsx'
