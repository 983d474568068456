import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type {
  GraphQLField,
  GraphQLInputType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
} from 'graphql';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { Role } from './matrix.ts';
import { prepareActs } from './matrix-acts.ts';
import { argumentValue } from './matrix-arguments.ts';
import {
  allowed,
  FIELDS,
  FILTERS,
  MUTATIONS,
  names,
  ORDERS,
  QUERIES,
  ROLES,
  SUBSCRIPTIONS,
} from './matrix.ts';
import type { PlantedDocuments } from './planted-documents.ts';
import { plantDocuments } from './planted-documents.ts';
import type { GraphqlAnswer, ServerFixture } from './server-fixture.ts';
import { serve } from './server-fixture.ts';
import { Subscriber } from './subscriber.ts';

const database = await createTestDatabase();
let planted: PlantedDocuments;
let server: ServerFixture;
let schema: GraphQLSchema;

before(async () => {
  planted = await plantDocuments(database);
  server = await serve(database, { requestsPerMinute: 100_000 });
  acted = await prepareActs(planted, server, { ...bearer('evidence_owner'), subject: 'another' });
  const request = `mutation { requestUnmask(input: { documentId: "${planted.own}", reason: "a dispute" }) { clientMutationId } }`;
  await server.data(bearer('analyst'), request);
  schema = buildClientSchema(
    await server.data<IntrospectionQuery>(
      bearer('analyst'),
      getIntrospectionQuery({ descriptions: false, typeDepth: 5 }),
    ),
  );
});

/** What mutations are done to, by name. */
let acted: Record<string, string[]> = {};

const bearer = (role: Role) => ({ role, sources: ['carrier-a', 'carrier-b'], subject: 'tester' });

/** The arguments of a field that the question needs: those that must be, and a page of five. */
function argumentsOf(field: GraphQLField<unknown, unknown>): string {
  const given = field.args.flatMap(({ name, type }) => {
    if (name === 'first') return ['first: 5'];
    if (name === 'input') return [`input: { ${inputOf(type, field.name)} }`];
    return isNonNullType(type) || name === 'query'
      ? [`${name}: ${argumentValue(name, field.name, { planted, acted })}`]
      : [];
  });
  return given.length > 0 ? `(${given.join(', ')})` : '';
}

function inputOf(type: GraphQLInputType, field: string): string {
  const input = getNamedType(type);
  assert.ok(isInputObjectType(input));
  return Object.keys(input.getFields())
    .filter((name) => name !== 'clientMutationId')
    .map((name) => `${name}: ${argumentValue(name, field, { planted, acted })}`)
    .join(', ');
}

/** What to select of a type, so that a row of it has to be read: its first column. */
function selection(type: GraphQLOutputType, wanted?: string): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  assert.ok(isObjectType(named));
  const fields = named.getFields();
  const [inner] = ['nodes', ...Object.keys(fields)].filter(
    (name) => name in fields && name !== 'clientMutationId',
  );
  assert.ok(inner !== undefined);
  const isWrapper = /(Connection|Payload)$/.test(named.name);
  const chosen = fields[isWrapper || wanted === undefined ? inner : wanted]!;
  return ` { ${chosen.name}${argumentsOf(chosen)}${selection(chosen.type, isWrapper ? wanted : undefined)} }`;
}

function isDenied(answer: GraphqlAnswer): boolean {
  return answer.errors?.every((error) => error.extensions?.code === 'PERMISSION_DENIED') ?? false;
}

/** Asks as each role, and compares with the table; returns what was answered to whom. */
async function compare(what: string, question: string, may: (role: Role) => boolean): Promise<void> {
  for (const role of ROLES) {
    const answer = await server.ask(bearer(role), question);
    const verdict = answer.errors === undefined ? 'allowed' : isDenied(answer) ? 'denied' : answer.body;
    assert.equal(verdict, may(role) ? 'allowed' : 'denied', `${what} as ${role}: ${question}`);
    if (verdict === 'denied') assertNothingSaid(answer, what);
  }
}

function assertNothingSaid(answer: GraphqlAnswer, what: string): void {
  assert.deepEqual([...new Set(answer.errors?.map((error) => error.message))], ['permission denied'], what);
  assert.deepEqual(Object.keys(answer.errors![0]!.extensions!), ['code'], what);
}

/** What holds rows together; and times of length, which are values. */
const PLUMBING = /(Connection|Edge|Payload)$|^(PageInfo|Interval|Query|Mutation|Subscription)$|^__/;

const objectTypes = (): GraphQLObjectType[] => Object.values(schema.getTypeMap()).filter(isObjectType);

const fieldNames = (type: GraphQLObjectType) => Object.keys(type.getFields()).sort();

test('the table names every field of every type, and nothing else', () => {
  const seen = objectTypes()
    .filter(({ name }) => !PLUMBING.test(name))
    .map((type) => [type.name, fieldNames(type)]);
  const wanted = Object.entries(FIELDS).map(([type, grants]) => [type, names(grants)]);
  assert.deepEqual(Object.fromEntries(seen), Object.fromEntries(wanted));
  assert.deepEqual(fieldNames(schema.getQueryType()!), names(QUERIES));
  assert.deepEqual(fieldNames(schema.getMutationType()!), names(MUTATIONS));
  assert.deepEqual(fieldNames(schema.getSubscriptionType()!), names(SUBSCRIPTIONS));
});

test('what holds lists and answers together has no fields of its own', () => {
  for (const type of objectTypes()) {
    const { name } = type;
    if (name.endsWith('Connection'))
      assert.deepEqual(fieldNames(type), ['edges', 'nodes', 'pageInfo', 'totalCount']);
    if (name.endsWith('Edge')) assert.deepEqual(fieldNames(type), ['cursor', 'node']);
    if (name.endsWith('Payload')) {
      const [result] = fieldNames(type).filter((field) => field !== 'clientMutationId');
      assert.ok(getNamedType(type.getFields()[result!]!.type).name in FIELDS, name);
      assert.equal(fieldNames(type).length, 2, name);
    }
  }
});

test('lists can be filtered and ordered by what the table says', () => {
  const filters: Record<string, string[]> = {};
  const orders: Record<string, string[]> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    const of = type.name.replace(/(Filter|OrderBy)$/, '');
    if (!(of in FIELDS)) continue;
    if (isInputObjectType(type) && type.name === `${of}Filter`) {
      filters[of] = Object.keys(type.getFields())
        .filter((name) => !['and', 'or', 'not'].includes(name))
        .sort();
    }
    if (isEnumType(type) && type.name === `${of}OrderBy`) {
      const values = type.getValues().map((value) => value.name.replace(/_(ASC|DESC)$/, ''));
      orders[of] = [...new Set(values)].sort();
    }
  }
  const table = (lines: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(lines).map(([type, line]) => [type, line.split(/\s+/).sort()]));
  assert.deepEqual(filters, table(FILTERS));
  assert.deepEqual(orders, table(ORDERS));
});

test('each role may ask the queries that the table says, and no other', async () => {
  for (const field of Object.values(schema.getQueryType()!.getFields())) {
    const question = `{ ${field.name}${argumentsOf(field)}${selection(field.type)} }`;
    await compare(field.name, question, (role) => allowed(QUERIES, field.name, role));
  }
});

interface Root {
  readonly operation: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
  readonly roles: Readonly<Record<string, string>>;
}

/** The query that lists a type; else the mutation that answers it, where reading it is an act. */
function rootOf(type: string): Root {
  const query = Object.values(schema.getQueryType()!.getFields()).find(({ type: result }) => {
    const named = getNamedType(result);
    return named.name === `${type}Connection` || (named.name === type && isList(result));
  });
  if (query) return { operation: 'query', field: query, roles: QUERIES };
  const mutation = Object.values(schema.getMutationType()!.getFields()).find(({ type: payload }) => {
    const named = getNamedType(payload);
    return (
      isObjectType(named) &&
      Object.values(named.getFields()).some((field) => getNamedType(field.type).name === type)
    );
  });
  assert.ok(mutation, `there is a list of ${type}`);
  return { operation: 'mutation', field: mutation, roles: MUTATIONS };
}

const isList = (type: GraphQLOutputType) => isListType(isNonNullType(type) ? type.ofType : type);

for (const [name, grants] of Object.entries(FIELDS)) {
  test(`each role may read of ${name} what the table says, and nothing else`, async () => {
    const type = schema.getType(name);
    assert.ok(isObjectType(type));
    const { operation, field: root, roles } = rootOf(name);
    const asking = (wanted?: string) =>
      `${operation} { ${root.name}${argumentsOf(root)}${selection(root.type, wanted)} }`;
    for (const role of ROLES.filter((one) => allowed(roles, root.name, one))) {
      // Fields that are read by themselves are looked at only if there is a row.
      const { [root.name]: list } = await server.data<Record<string, unknown>>(bearer(role), asking());
      assert.match(JSON.stringify(list), /\[\{/, `${role} sees a row of ${root.name}`);
    }
    for (const field of names(grants)) {
      await compare(`${name}.${field}`, asking(field), (role) => {
        return allowed(roles, root.name, role) && allowed(grants, field, role);
      });
    }
  });
}

/** All that a mutation could leave behind. */
async function traces(): Promise<unknown> {
  const { rows } = await planted.stage.db.query(`
    select (select count(*) from docket_audit.events) as events, (select count(*) from docket.unmask_requests) as requests,
      (select json_agg(s order by s.source_id) from docket.sources s) as sources,
      (select json_agg(j.state order by j.job_id) from docket.jobs j) as states`);
  return rows[0];
}

test('each role may do the mutations that the table says; what is denied leaves no trace', async () => {
  for (const field of Object.values(schema.getMutationType()!.getFields())) {
    const question = `mutation { ${field.name}${argumentsOf(field)}${selection(field.type)} }`;
    const may = (role: Role) => allowed(MUTATIONS, field.name, role);
    assert.ok(ROLES.some(may), `${field.name} is somebody's right`);
    for (const role of ROLES.filter((one) => !may(one))) {
      const before = await traces();
      const answer = await server.ask(bearer(role), question);
      assert.equal(isDenied(answer), true, `${field.name} as ${role}: ${answer.body}`);
      assertNothingSaid(answer, field.name);
      assert.deepEqual(await traces(), before, `${field.name} as ${role}`);
    }
    const [role] = ROLES.filter(may);
    await server.data(bearer(role!), question);
  }
});

test('each role may subscribe to what the table says, and to nothing else', async () => {
  for (const role of ROLES) {
    const subscriber = await Subscriber.letIn(server.url, await server.issuer.token(bearer(role)));
    for (const field of Object.values(schema.getSubscriptionType()!.getFields())) {
      subscriber.subscribe(
        field.name,
        `subscription { ${field.name}${argumentsOf(field)}${selection(field.type)} }`,
      );
      const [heard] = await eventually(`${field.name} answers ${role}`, () =>
        Promise.resolve(subscriber.heard(field.name).length > 0 && subscriber.heard(field.name)),
      );
      const isAllowed = allowed(SUBSCRIPTIONS, field.name, role);
      assert.equal(heard!.includes('permission denied'), !isAllowed, `${field.name} as ${role}: ${heard}`);
      assert.equal(heard!.includes('{"data":'), isAllowed, `${field.name} as ${role}: ${heard}`);
    }
    subscriber.close();
  }
});
