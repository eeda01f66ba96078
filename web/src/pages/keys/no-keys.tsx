/** What an account without keys sees instead of a list: what to do. */
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CodeBlock } from '../../parts/code-block.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { listHooksCurl } from '../../words/curl.ts'

export function NoKeys({ action }: { action: ReactNode }) {
  return (
    <EmptyState
      icon={<IconKey size={28} stroke={1.5} />}
      title="No key yet"
      action={action}
      steps={[
        {
          id: 'create',
          content: 'Create a key and choose what it may do. It is shown once, large, to be copied.',
        },
        {
          id: 'call',
          content: (
            <>
              <p>Send it with every call:</p>
              <CodeBlock what="command" text={listHooksCurl('<your key>')} />
            </>
          ),
        },
        { id: 'see', content: 'Come back and see here when and how it was last used.' },
      ]}
    />
  )
}
