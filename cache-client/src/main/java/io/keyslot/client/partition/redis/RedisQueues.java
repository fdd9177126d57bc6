// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis;

import io.keyslot.client.partition.QueueCommand;
import io.keyslot.client.partition.QueueCommand.Delivery;
import io.keyslot.client.partition.QueueCommand.Received;
import io.keyslot.client.partition.QueueCommand.Sent;
import io.keyslot.client.partition.Reply;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** The fragments of queues of an instance; {@code queue.lua} documents their form. */
record RedisQueues(RedisSession session) {
    private static final Sent[] SENT = Sent.values();

    CompletableFuture<? extends Reply<?>> execute(QueueCommand<?> command) {
        if (command instanceof QueueCommand.Send send) {
            return session.count(ScriptCall.of(
                            Script.SEND_MESSAGE,
                            send.keys(),
                            send.payload(),
                            send.session(),
                            send.id(),
                            send.atMost(),
                            send.windowMillis()))
                    .thenApply(reply -> reply.map(answer -> SENT[Math.toIntExact(answer)]));
        }
        if (command instanceof QueueCommand.Receive receive) {
            return session.send(
                    ScriptCall.of(
                            Script.RECEIVE_MESSAGE,
                            receive.keys(),
                            receive.leaseMillis(),
                            receive.deliveries(),
                            kind(receive.isOfDead())),
                    RedisQueues::received);
        }
        if (command instanceof QueueCommand.Describe describe) {
            return session.send(
                    ScriptCall.of(Script.DESCRIBE_QUEUE, describe.keys()),
                    answer -> answer.stream().map(Resp::number).toList());
        }
        QueueCommand.Settle settle = (QueueCommand.Settle) command;
        return session.send(ScriptCall.of(
                Script.SETTLE_MESSAGE,
                settle.keys(),
                settle.delivery().number(),
                settle.delivery().count(),
                kind(settle.isOfDead()),
                settle.as().name().toLowerCase(Locale.ROOT),
                settle.leaseMillis()));
    }

    private static String kind(boolean isDead) {
        return isDead ? "dead" : "";
    }

    private static Received received(List<Object> answer) {
        String number = Resp.text(Resp.bytes(answer.get(0)));
        Delivery delivery = new Delivery(
                number, Resp.number(answer.get(1)), Resp.text(Resp.bytes(answer.get(2))), Resp.element(answer.get(3)));
        return new Received(
                number.isEmpty() ? null : delivery,
                Resp.number(answer.get(4)),
                Resp.number(answer.get(5)),
                Resp.number(answer.get(6)));
    }
}
