/** Empty state of the API keys page, with instructions. */
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { listHooksCurl } from '../../messages/curl-examples.ts'

export function NoKeys({ action }: { action: ReactNode }) {
  return (
    <EmptyState
      icon={<IconKey size={28} stroke={1.5} />}
      title="No API keys yet"
      action={action}
      steps={[
        {
          id: 'create',
          content: 'Create a key and select its scopes.',
        },
        {
          id: 'call',
          content: (
            <>
              <p>Send the key with every request:</p>
              <CodeBlock label="command" text={listHooksCurl('<your key>')} />
            </>
          ),
        },
        { id: 'see', content: 'See here when and how the key was last used.' },
      ]}
    />
  )
}
