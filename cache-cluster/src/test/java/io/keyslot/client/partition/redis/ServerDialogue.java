// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.cluster.local.LocalServer;
import io.keyslot.cluster.local.ServerLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Words to a server and what it answers, with nothing in between: errors are answers. Not safe for use by several threads. */
record ServerDialogue(ServerLine line) implements AutoCloseable {
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

    static ServerDialogue with(LocalServer server) throws IOException {
        return with(server.port());
    }

    static ServerDialogue with(int port) throws IOException {
        return new ServerDialogue(new ServerLine(port, LONGEST_ANSWER));
    }

    /** Returns the answer to words of text. */
    @Nullable
    Object ask(String... words) throws IOException {
        return ask(List.of(words).stream().map(RedisFixture::bytes).toList());
    }

    /** Returns text, a number, a list, null, or that it was refused; bytes are a text with a character for each. */
    @Nullable
    Object ask(List<byte[]> words) throws IOException {
        line.send(words);
        return line.answer();
    }

    /** Returns the next answer, which may be one that nobody asked for. */
    @Nullable
    Object answer() throws IOException {
        return line.answer();
    }

    @Override
    public void close() throws IOException {
        line.close();
    }
}
