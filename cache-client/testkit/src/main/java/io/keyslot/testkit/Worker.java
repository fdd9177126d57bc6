// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.concurrent.locks.Condition;

/** A thread that {@link VirtualTime} schedules. */
final class Worker extends Thread {
    private final VirtualTime time;
    private final Runnable work;
    private final Condition awake;

    // Modified only with the lock of the time.
    private volatile boolean ended;
    private volatile boolean interruptedLater;
    private boolean aside;

    Worker(String name, VirtualTime time, Runnable work) {
        super(name);
        this.time = time;
        this.work = work;
        this.awake = time.newCondition();
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

    /** The condition at which the worker waits for its turn. Use with the lock of the time. */
    Condition awake() {
        return awake;
    }

    /** Makes the worker check its turn. Called with the lock of the time. */
    void awaken() {
        awake.signalAll();
    }

    void markEnded() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** A worker that is suspended by interleaving receives the interrupt when it continues. */
    @Override
    public void interrupt() {
        time.interrupt(this);
    }

    void interruptNow() {
        super.interrupt();
    }

    void interruptLater() {
        interruptedLater = true;
    }

    /** Called by the worker with the lock of the time: suspends it and keeps interrupts for later. */
    void stepAside() {
        aside = true;
        if (Thread.interrupted()) {
            interruptedLater = true;
        }
    }

    void goOn() {
        aside = false;
        if (interruptedLater) {
            interruptedLater = false;
            super.interrupt();
        }
    }

    boolean isAside() {
        return aside;
    }

    @Override
    public boolean isInterrupted() {
        return interruptedLater || super.isInterrupted();
    }
}
