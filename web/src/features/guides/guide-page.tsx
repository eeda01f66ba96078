import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { GuideBlocks, GuideContents } from './guide-blocks.tsx'
import { GuideTabs } from './guide-tabs.tsx'
import styles from './guides.module.css'
import { findGuide, type GuideName, guides } from './guides.ts'
import { GuidesPage } from './guides-page.tsx'

export function GuidePage() {
  const name = findGuide(useParams({ from: '/guides/guides/$guide' }).guide)
  return name === undefined ? <GuidesPage isUnknown /> : <KnownGuide key={name} name={name} />
}

function KnownGuide({ name }: { name: GuideName }) {
  const { title, description, load } = guides[name]
  const guide = useQuery({
    queryKey: ['guide', name],
    queryFn: async () => (await load()).default,
    staleTime: Infinity,
  })
  const { hash } = useLocation()
  const isLoaded = guide.isSuccess
  // The browser and the router look for the anchor before the text is there.
  useEffect(() => {
    if (isLoaded && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [isLoaded, hash])
  return (
    <>
      <PageHeader title={guide.data?.title ?? title} description={description} />
      <GuideTabs current={name} />
      {guide.isError && <ErrorState error={guide.error} retry={() => void guide.refetch()} />}
      {guide.isPending && <Skeleton height={480} />}
      {guide.isSuccess && (
        <div className={styles.columns}>
          <GuideContents blocks={guide.data.blocks} />
          <article className={styles.text}>
            <GuideBlocks blocks={guide.data.blocks} />
          </article>
        </div>
      )}
    </>
  )
}
