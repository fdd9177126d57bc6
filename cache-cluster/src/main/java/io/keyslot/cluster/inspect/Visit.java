// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.inspect;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.map.MappedPartition;
import io.keyslot.client.partition.Adoption;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.PartitionConnector;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.cluster.copy.Answers;
import io.keyslot.cluster.copy.MoveTime;
import io.keyslot.cluster.operator.OpenCatalogue;
import java.time.Duration;

/** A short-lived connection to one partition. Closes its connector. For one thread. */
public record Visit(PartitionConnector connector, PartitionConnection connection, MoveTime time)
        implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    public static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1;

        NoAnswerException(String message) {
            super(message);
        }
    }

    public static Visit to(OpenCatalogue catalogue, MappedPartition partition) throws NoAnswerException {
        PartitionConnector connector = catalogue.connector(partition, Adoption.NEVER);
        MoveTime time = catalogue.time();
        Reply<PartitionConnection> reply =
                time.await(Answers.reply(connector.connect()), LONGEST, () -> Reply.unknown("no answer in time", null));
        if (reply instanceof Reply.Done<PartitionConnection> done) {
            return new Visit(connector, done.value(), time);
        }
        connector.close();
        throw new NoAnswerException(reply instanceof Reply.Unknown<?> unknown ? unknown.detail() : reply.toString());
    }

    public <R> R ask(Command<R> command) throws NoAnswerException {
        Reply<R> reply = time.await(
                connection.send(command, Route.ANY, Patience.UNLIMITED),
                LONGEST,
                () -> Reply.unknown("no answer in time", null));
        if (reply instanceof Reply.Done<R> done) {
            return done.value();
        }
        throw new NoAnswerException("%s: %s"
                .formatted(
                        command.name(),
                        reply instanceof Reply.Refused<R> refused
                                ? refused.detail()
                                : ((Reply.Unknown<R>) reply).detail()));
    }

    @Override
    public void close() {
        connection.close();
        connector.close();
    }
}
