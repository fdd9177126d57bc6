// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

/** A thread of a pool that runs when the {@link VirtualTime} by which it lives lets it. */
final class Worker extends Thread {
    private final VirtualTime time;
    private final Runnable work;

    Worker(String name, VirtualTime time, Runnable work) {
        super(name);
        this.time = time;
        this.work = work;
        setDaemon(true);
    }

    boolean livesBy(VirtualTime other) {
        return time.equals(other);
    }

    @Override
    public void run() {
        time.begin(this);
        try {
            work.run();
        } finally {
            time.end(this);
        }
    }
}
