import { httpBackend } from './api/http-backend.ts'
import { startPage } from './shell/start-page.tsx'

startPage(httpBackend)
