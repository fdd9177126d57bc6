// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what was opened, the last first, also if some of it cannot be closed or was the last that could be opened. */
final class Closing implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Takes something over, and returns it. */
    <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Throws the first failure, the others suppressed. */
    @Override
    public void close() throws Exception {
        Exception first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
