// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import java.util.concurrent.locks.Condition;

/** A thread that runs when the {@link VirtualTime} by which it lives lets it. */
final class Worker extends Thread {
    private final VirtualTime time;
    private final Runnable work;
    private final Condition awake;

    // All changed with the lock of the time only.
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

    /** What the worker waits at until it is its turn. To be used with the lock of the time. */
    Condition awake() {
        return awake;
    }

    /** Lets the worker look whether it is its turn. Called with the lock of the time. */
    void awaken() {
        awake.signalAll();
    }

    void markEnded() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** As for any thread; one that stands aside while chance decides who runs hears of it when it goes on. */
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

    /** Called by the worker with the lock of the time: it stands aside, and what was said to it is kept for later. */
    void stepAside() {
        aside = true;
        if (Thread.interrupted()) {
            interruptedLater = true;
        }
    }

    /** Called by the worker with the lock of the time: it goes on. */
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
