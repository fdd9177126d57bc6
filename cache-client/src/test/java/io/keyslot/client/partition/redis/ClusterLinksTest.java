// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.concurrent.ManualTicker;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a node says of another one, by the ways in which it may name it. */
class ClusterLinksTest {
    private static final int PORT = 6_379;

    private final ClusterLinks links = new ClusterLinks();
    private final List<String> heard = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final CommandWriter own = writer();
    private final CommandWriter other = writer();
    private final Redirection.Handler redirects = links.from("one", PORT, closed::add);

    private static CommandWriter writer() {
        EmbeddedChannel channel = new EmbeddedChannel();
        return new CommandWriter(
                new WriteQueue(new RouteVersionGuard(channel.eventLoop()), commands -> {}),
                new Timeouts(channel.eventLoop(), new ManualTicker(), 1),
                CallerDriven.of(channel.eventLoop()),
                new InternalKeys(""),
                reason -> {},
                null);
    }

    @BeforeEach
    void listen() {
        links.listen(new ClusterHome.Listener() {
            @Override
            public void moved(int slot, String host, int port) {
                heard.add("%d is at %s:%d".formatted(slot, host, port));
            }

            @Override
            public void look() {
                heard.add("look");
            }
        });
        links.opened("one", PORT, own, reason -> {});
    }

    private static Redirection moved(String host, int port) {
        return new Redirection(false, 7, host, port);
    }

    private static Redirection ask(String host, int port) {
        return new Redirection(true, 7, host, port);
    }

    @Test
    void hostThatIsLeftOut_isThatOfTheNodeThatSaysIt() {
        redirects.redirected(moved("", 6_380));

        assertThat(heard).containsExactly("7 is at one:6380");
    }

    /**
     * The cluster is set to tell names, and this one has none: all that is known is that it is not the one that speaks.
     */
    @Nested
    class NodeWithoutAName {
        @Test
        void isTheOnlyOneAtItsPort() {
            links.opened("two", 6_380, other, reason -> {});

            redirects.redirected(moved("?", 6_380));
            redirects.redirected(ask("?", 6_380));

            assertThat(heard).containsExactly("7 is at two:6380");
            assertThat(redirects.at(ask("?", 6_380))).contains(other);
        }

        @Test
        void isNobody_ifSeveralHaveThePort() {
            links.opened("two", PORT, other, reason -> {});

            redirects.redirected(moved("?", PORT));

            assertThat(heard).containsExactly("look");
            assertThat(redirects.at(ask("?", PORT))).isEmpty();
            assertThat(closed).isEmpty();
        }

        @Test
        void isNotTheOneThatSpeaks() {
            redirects.redirected(moved("?", PORT));

            assertThat(heard).containsExactly("look");
            assertThat(redirects.at(ask("?", PORT))).isEmpty();
            assertThat(closed).isEmpty();
        }
    }
}
