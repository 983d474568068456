import { createMemoryStore } from '../../src/store/memory-store.ts';
import { testConformance } from './conformance.ts';

testConformance('memory', 'memory:', () => Promise.resolve(createMemoryStore()));
