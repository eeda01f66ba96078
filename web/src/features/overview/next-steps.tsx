/** Guides a new account to its first delivered event. */
import { Anchor } from '@mantine/core'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { ButtonLink, TextLink } from '../../ui/layout/links.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import state from '../../ui/layout/state-page.module.css'
import { createHookCurl } from '../../messages/curl-examples.ts'
import styles from './overview.module.css'

export function NextSteps() {
  return (
    <Panel
      title="Your first webhook"
      description="A webhook sends each event to your endpoint as it happens, for example an inbound SMS."
    >
      <ol className={`${state.steps} ${styles.steps}`}>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>Create a webhook</h3>
            <p>The form previews the request before you save.</p>
            <ButtonLink to="/webhooks/new">New webhook</ButtonLink>
          </div>
        </li>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>Send a test event</h3>
            <p>The test uses the regular delivery pipeline and shows the response of your server.</p>
          </div>
        </li>
        <li className={state.step}>
          <div className={styles.step}>
            <h3>Check the deliveries</h3>
            <p>Each event lists its deliveries, responses and next attempts, or why no webhook matched.</p>
          </div>
        </li>
      </ol>
      <div className={`${styles.step} ${styles.terminal}`}>
        <p>
          Prefer a terminal? With an <TextLink to="/keys">API key</TextLink>, this command creates a webhook.
          The <Anchor href="/docs">API reference</Anchor> lists every operation.
        </p>
        <CodeBlock label="command" text={createHookCurl('<your key>')} />
      </div>
    </Panel>
  )
}
