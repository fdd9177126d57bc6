// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import java.util.ArrayList;
import java.util.List;

/** Remembers what commands tell their connection. */
final class RecordingCarrier implements RoutedCommand.Carrier {
    final List<RoutedCommand<?, ?>> watched = new ArrayList<>();
    final List<String> surprises = new ArrayList<>();
    int left;
    int leftUnanswered;
    int demotions;
    boolean superseded;

    @Override
    public void watch(RoutedCommand<?, ?> command) {
        watched.add(command);
    }

    @Override
    public void left(RoutedCommand<?, ?> command, boolean unanswered) {
        left++;
        leftUnanswered += unanswered ? 1 : 0;
    }

    @Override
    public boolean isSuperseded() {
        return superseded;
    }

    @Override
    public void demoted() {
        demotions++;
    }

    @Override
    public void surprised(String what) {
        surprises.add(what);
    }
}
