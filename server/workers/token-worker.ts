/** The thread that counts tokens: it keeps the tokenizer's tables and seconds of counting off the main thread. */
import { loadTokenCounter, rememberingCounter } from '../../core/prompt/token-counter.ts'
import { answerThreadRequests } from './answer-requests.ts'

const { count } = rememberingCounter(await loadTokenCounter())
answerThreadRequests((texts: readonly string[]) => texts.map(count))
