/// <reference lib="webworker" />
/** Makes man pages outside the page's thread: a schema of 30,000 parts takes its time. */
import { manPage } from '../../../core/help/man-page.ts'
import { answerRequests } from '../../api/worker-requests.ts'

answerRequests(manPage)
