/**
 * The smallest Ceph: one monitor, one storage daemon in memory, one radosgw, all at 127.0.0.1. No manager: nothing here
 * balances or reports. The intervals are shortened because a start consists of some twenty agreements of the monitor.
 */
export function cephConfiguration(of: {
  home: string;
  fsid: string;
  monPort: number;
  monPortV1: number;
  httpPort: number;
}): string {
  const { home, fsid } = of;
  return `[global]
fsid = ${fsid}
mon initial members = a
mon host = [v2:127.0.0.1:${String(of.monPort)}/0,v1:127.0.0.1:${String(of.monPortV1)}/0]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
keyring = ${home}/keyring
run dir = ${home}/run
admin socket = ${home}/run/$name.$pid.asok
log file = ${home}/log/$name.log
mon data = ${home}/mon
osd data = ${home}/osd
rgw data = ${home}/rgw

auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = true

osd objectstore = memstore
memstore device bytes = 4294967296
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000

paxos propose interval = 0.05
paxos min wait = 0.01
mon tick interval = 1
osd tick interval = 0.2
ms initial backoff = 0.05

rgw frontends = beast endpoint=127.0.0.1:${String(of.httpPort)}
`;
}
