#!/usr/bin/env node
// Installs the project's packages when they are missing or not those of package-lock.json.
//
// Every npm script runs this first, so it must work before anything is installed: plain JavaScript, built-in
// modules only, any Node from 20 on. Silent when there is nothing to do; otherwise it writes to stderr alone, so that
// `npm run … -- --json` keeps a clean stdout.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages by folder, as a lock file lists them; empty when there is no such file. */
function lockedPackages(file) {
  if (!existsSync(root + file)) return {};
  return JSON.parse(readFileSync(root + file, 'utf8')).packages ?? {};
}

/** Why an install is needed, or undefined. npm's own record of node_modules is compared, not file times. */
function reasonToInstall() {
  if (!existsSync(root + 'node_modules')) return 'the packages are not installed yet';
  const installed = lockedPackages('node_modules/.package-lock.json');
  for (const [folder, { version, optional }] of Object.entries(lockedPackages('package-lock.json'))) {
    if (folder === '') continue;
    const found = installed[folder];
    if (!found && optional) continue;
    if (found?.version !== version) return `${folder} is not at version ${version}`;
  }
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  return existsSync(`${root}node_modules/node/bin/${node}`)
    ? undefined
    : 'the Node of the project is missing';
}

/** The npm that started this script, run by the Node that started npm; plain `npm` when started by hand. */
function npm(args) {
  const cli = process.env.npm_execpath;
  const [command, ...first] = cli?.endsWith('.js')
    ? [process.env.npm_node_execpath ?? process.execPath, cli]
    : [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
  // stdout goes to our stderr; a caller that reads JSON must see only the script's own output.
  return spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm.cmd',
  });
}

const reason = reasonToInstall();
if (reason && lstatSync(root + 'node_modules', { throwIfNoEntry: false })?.isSymbolicLink()) {
  // npm ci would empty the folder behind the link, from under whoever else uses it.
  process.stderr.write(
    `docket: ${reason}, and node_modules is a link, so nothing is installed: install where it leads, or remove the link\n`,
  );
  process.exit(1);
}
if (reason) {
  process.stderr.write(`docket: installing (${reason}) …\n`);
  const result = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (result.status !== 0) {
    process.stderr.write(
      `docket: npm ci failed${result.error ? `: ${result.error.message}` : ''}; see above\n`,
    );
    process.exit(1);
  }
  const still = reasonToInstall();
  if (still) {
    process.stderr.write(
      `docket: npm ci ended well, yet ${still}. Install scripts may be switched off (npm config ignore-scripts); ` +
        `the packages named under "allowScripts" in package.json need theirs.\n`,
    );
    process.exit(1);
  }
}
