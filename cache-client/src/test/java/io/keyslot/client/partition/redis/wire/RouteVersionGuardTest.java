// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.CommandWrapper;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RouteVersionGuardTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final RouteVersionGuard versionGuard = new RouteVersionGuard(channel.eventLoop());
    private final RecordingCarrier carrier = new RecordingCarrier();

    RouteVersionGuardTest() {
        channel.pipeline().addLast(versionGuard);
    }

    @Nested
    class BeforeTheHandshakeIsOver {
        @Test
        void routedCommand_isRefused() {
            RoutedCommand<String, Boolean> command = routedBy(1);

            channel.writeOutbound(command);

            assertThat(refusalOf(command)).isEqualTo(Refusal.UNAVAILABLE);
            assertThat(written()).isNull();
        }

        @Test
        void commandOfTheHandshake_passes() {
            Command<byte[], byte[], String> hello =
                    new Command<>(CommandType.HELLO, new StatusOutput<>(ByteArrayCodec.INSTANCE));

            channel.writeOutbound(hello);

            assertThat(written()).isSameAs(hello);
        }

        @Test
        void opening_isNotWrittenAndTellsTheVersionGuard() {
            RouteVersionGuard.Opening opening = new RouteVersionGuard.Opening(1);

            channel.writeOutbound(opening);

            assertThat(opening.opened()).isCompletedWithValue(versionGuard);
            assertThat(written()).isNull();
        }
    }

    @Nested
    class AfterTheHandshake {
        AfterTheHandshake() {
            channel.writeOutbound(new RouteVersionGuard.Opening(5));
        }

        @Test
        void commandOfTheSameMapOrANewerOne_passesAndIsWatched() {
            RoutedCommand<String, Boolean> same = routedBy(5);
            RoutedCommand<String, Boolean> newer = routedBy(6);

            channel.writeOutbound(same, newer);

            assertThat(written()).isSameAs(same);
            assertThat(written()).isSameAs(newer);
            assertThat(carrier.watched).containsExactly(same, newer);
        }

        @Test
        void commandOfAnOlderMap_isRefusedWithoutBeingWritten() {
            RoutedCommand<String, Boolean> command = routedBy(4);

            channel.writeOutbound(command);

            assertThat(refusalOf(command)).isEqualTo(Refusal.STALE_ROUTE);
            assertThat(written()).isNull();
            assertThat(carrier.watched).isEmpty();
            assertThat(carrier.left).isOne();
        }

        @Test
        void announcement_isWrittenAndMovesTheVersionGuard() {
            RouteVersionGuard.Announcement announcement = new RouteVersionGuard.Announcement(routedBy(6));
            RoutedCommand<String, Boolean> older = routedBy(5);
            RoutedCommand<String, Boolean> current = routedBy(6);

            channel.writeOutbound(announcement, older, current);

            assertThat(written()).isSameAs(announcement);
            assertThat(written()).isSameAs(current);
            assertThat(refusalOf(older)).isEqualTo(Refusal.STALE_ROUTE);
        }

        @Test
        void announcementOfAnOlderMap_isRefusedAndChangesNothing() {
            RoutedCommand<String, Boolean> setName = routedBy(4);

            channel.writeOutbound(new RouteVersionGuard.Announcement(setName), routedBy(5));

            assertThat(refusalOf(setName)).isEqualTo(Refusal.STALE_ROUTE);
            assertThat(carrier.watched).hasSize(1);
        }

        @Test
        void severalCommandsAtOnce_loseOnlyTheStaleOnes() {
            RoutedCommand<String, Boolean> stale = routedBy(4);
            RoutedCommand<String, Boolean> current = routedBy(5);

            channel.writeOutbound(List.of(stale, current));

            assertThat(written()).isEqualTo(List.of(current));
            assertThat(refusalOf(stale)).isEqualTo(Refusal.STALE_ROUTE);
        }

        @Test
        void commandThatLettuceWrapped_doesNotSlipThrough() {
            RoutedCommand<String, Boolean> stale = routedBy(4);

            channel.writeOutbound(new CommandWrapper<>(stale));

            assertThat(refusalOf(stale)).isEqualTo(Refusal.STALE_ROUTE);
            assertThat(written()).isNull();
        }

        @Test
        void severalCommandsThatAreSent_areWrittenTogether() {
            RoutedCommand<String, Boolean> stale = routedBy(4);
            RoutedCommand<String, Boolean> first = routedBy(5);
            RoutedCommand<String, Boolean> second = routedBy(5);

            versionGuard.send(new ArrayList<>(List.of(first, stale, second)));

            assertThat(written()).isEqualTo(List.of(first, second));
            assertThat(written()).isNull();
            assertThat(refusalOf(stale)).isEqualTo(Refusal.STALE_ROUTE);
        }

        @Test
        void commandThatIsSentAfterTheLoss_isRefused() {
            RoutedCommand<String, Boolean> late = routedBy(5);
            channel.close().syncUninterruptibly();

            versionGuard.send(new ArrayList<>(List.of(late)));

            assertThat(refusalOf(late)).isEqualTo(Refusal.UNAVAILABLE);
            assertThat(carrier.watched).isEmpty();
        }

        @Test
        void commandThatIsSentThroughAShutVersionGuard_isRefused() {
            RoutedCommand<String, Boolean> late = routedBy(5);
            versionGuard.shut();

            versionGuard.send(new ArrayList<>(List.of(late)));

            assertThat(refusalOf(late)).isEqualTo(Refusal.UNAVAILABLE);
            assertThat(written()).isNull();
        }

        @Test
        void closedChannel_isTold() {
            assertThat(versionGuard.lost()).isNotDone();

            channel.close().syncUninterruptibly();

            assertThat(versionGuard.lost()).isCompleted();
        }
    }

    private Object written() {
        return channel.readOutbound();
    }

    private RoutedCommand<String, Boolean> routedBy(long mapVersion) {
        return new RoutedCommand<>(
                CommandType.SET,
                new StatusOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE),
                "OK"::equals,
                mapVersion,
                carrier);
    }

    private static Refusal refusalOf(RoutedCommand<?, Boolean> command) {
        Reply<Boolean> reply = command.reply().getNow(Reply.done(true));
        return ((Reply.Refused<Boolean>) reply).refusal();
    }
}
