/** The developer area, started. */
import './global.css'
import '@fontsource-variable/inter'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/api.ts'
import { Said } from './parts/said.tsx'
import { router } from './routes.tsx'
import { cssVariablesResolver, theme } from './theme.ts'

/** The server writes a fresh one into every page; only styles that carry it are taken. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// Where the part that keeps the page still behind a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no element for the application')

createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Said />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
