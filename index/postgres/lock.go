package postgres

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// How long a connection waits for the lock of its schema: the server ends the session of a
// process that was killed in some milliseconds.
const (
	lockWait  = 500 * time.Millisecond
	lockPause = 20 * time.Millisecond
)

// lockKey returns the number of the advisory lock of the schema.
func (b *backend) lockKey() int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("memory " + b.schema)) // never fails
	return int64(h.Sum64())
}

// takeLock takes the lock of the schema for as long as the connection lasts. If another
// process has it, the error matches [sqldb.ErrHeld].
func (b *backend) takeLock(ctx context.Context, conn *pgx.Conn) error {
	err := b.tryLock(ctx, conn)
	for tries := lockWait / lockPause; errors.Is(err, sqldb.ErrHeld) && tries > 0 && ctx.Err() == nil; tries-- {
		time.Sleep(lockPause)
		err = b.tryLock(ctx, conn)
	}
	if err != nil {
		return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return nil
}

func (b *backend) tryLock(ctx context.Context, conn *pgx.Conn) error {
	var taken bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", b.lockKey()).Scan(&taken); err != nil || taken {
		return err
	}
	return memory.Unavailable(sqldb.ErrHeld, "%s writes to this index", b.holder(ctx, conn)).
		WithHint("send the command to it, or stop it: a service that reads the same index writes to it a second later")
}

// holder describes the process that has the lock.
func (b *backend) holder(ctx context.Context, conn *pgx.Conn) string {
	var name, address string
	err := conn.QueryRow(ctx, b.lockHolder("coalesce(a.application_name, ''), coalesce(host(a.client_addr), '')")).Scan(&name, &address)
	switch {
	case err != nil || name == "": // it has just ended, or another role has it
		return "another process"
	case address == "":
		return name
	}
	return name + " at " + address
}

// lockHolder returns a query for the session that has the lock.
func (b *backend) lockHolder(columns string) string {
	key := uint64(b.lockKey())
	return fmt.Sprintf(`SELECT %s FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
		AND l.classid = %d AND l.objid = %d AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`, columns, key>>32, uint32(key))
}

// writerName is how other processes name the one that writes: PostgreSQL keeps 63 bytes of it.
func writerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown machine"
	}
	return fmt.Sprintf("memory with pid %d on %s", os.Getpid(), host)
}
