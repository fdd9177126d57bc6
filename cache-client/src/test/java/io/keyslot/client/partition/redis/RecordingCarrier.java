// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Remembers what commands tell their connection. */
final class RecordingCarrier implements RoutedCommand.Carrier {
    final List<RoutedCommand<?, ?>> watched = new ArrayList<>();
    final List<String> surprises = new ArrayList<>();
    final List<Redirection> redirections = new ArrayList<>();
    int left;
    int leftUnanswered;
    int followersLeft;
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
    public void followerLeft() {
        followersLeft++;
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
    public void redirected(Redirection to) {
        redirections.add(to);
    }

    @Override
    public <R> @Nullable CompletableFuture<Reply<R>> ask(RoutedCommand<?, R> command, Redirection to) {
        return null;
    }

    @Override
    public void surprised(String what) {
        surprises.add(what);
    }
}
