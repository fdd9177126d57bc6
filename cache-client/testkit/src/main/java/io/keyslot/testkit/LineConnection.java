// SPDX-License-Identifier: Apache-2.0
package io.keyslot.testkit;

import io.keyslot.client.concurrent.Patience;
import io.keyslot.client.partition.Command;
import io.keyslot.client.partition.PartitionConnection;
import io.keyslot.client.partition.Push;
import io.keyslot.client.partition.PushListener;
import io.keyslot.client.partition.PushListeners;
import io.keyslot.client.partition.Refusal;
import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which commands are delayed, arrive in order, and may be lost. Those that were sent before the client
 * closed it still arrive, as at a hung server, until another connection replaces it.
 */
final class LineConnection implements PartitionConnection {
    private final Line line;
    private final Network network;
    private final PartitionConnection engine;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private final PushListeners listeners = new PushListeners();

    // Modified only within Network.change.
    private final Deque<Sent<?>> underway = new ArrayDeque<>();
    private final Set<Sent<?>> unanswered = new LinkedHashSet<>();
    private final Deque<Push> behindTheCut = new ArrayDeque<>();
    private final List<Push> ofOwnCommand = new ArrayList<>();
    private boolean executing;
    private int onTheWayBack;
    private int late;
    private long lastArrival;
    private boolean closed;

    LineConnection(Line line, Network network, PartitionConnection engine) {
        this.line = line;
        this.network = network;
        this.engine = engine;
    }

    void watch() {
        engine.listen(push -> network.change(() -> pushBack(push)));
        CompletableFuture<String> unused =
                engine.lost().whenComplete((why, failure) -> network.change(this::noticeLoss));
    }

    @Override
    public <R> CompletableFuture<Reply<R>> send(Command<R> command, Route route, Patience patience) {
        network.time().yieldTurn();
        CompletableFuture<Reply<R>> reply = network.change(() -> closed ? refused() : sent(command, route));
        network.time().yieldTurn();
        return reply;
    }

    /** Overtakes the commands in flight, which are then refused on arrival. */
    @Override
    public CompletableFuture<Reply<Boolean>> announce(long mapVersion) {
        return engine.announce(mapVersion);
    }

    private <R> CompletableFuture<Reply<R>> refused() {
        return CompletableFuture.completedFuture(
                Reply.refused(Refusal.UNAVAILABLE, "the connection to " + line.address() + " is lost"));
    }

    private <R> CompletableFuture<Reply<R>> sent(Command<R> command, Route route) {
        line.reportSent(command);
        long there = line.delayNanos() / 2;
        Sent<R> sent = new Sent<>(command, route, network.time().nanos() + there);
        underway.add(sent);
        unanswered.add(sent);
        deliver();
        if (!sent.isAnswered()) {
            if (there > 0) {
                Event unused = network.changeLater(there, this::deliver);
            }
            sent.answerBy(network.changeLater(line.commandTimeoutNanos(), () -> giveUp(sent)));
        }
        return sent.reply();
    }

    private void giveUp(Sent<?> sent) {
        unanswered.remove(sent);
        sent.lose(line.silence(sent.command().name()), network);
    }

    void deliver() {
        while (line.isOpen() && isArrived(underway.peek()) && !engine.lost().isDone()) {
            execute(underway.remove());
        }
        if (closed && underway.isEmpty()) {
            discard();
        }
    }

    private boolean isArrived(@Nullable Sent<?> sent) {
        return sent != null && sent.arrivesAt() <= network.time().nanos();
    }

    private <R> void execute(Sent<R> sent) {
        onTheWayBack++;
        if (line.isBusy()) {
            sendBack(sent, Reply.refused(Refusal.NOT_NOW, line.address() + " is busy"));
            return;
        }
        WriteRefusal refusal = line.refusalOf(sent.command());
        if (refusal != null) {
            sendBack(sent, refusal.reply());
            return;
        }
        executing = true;
        CompletableFuture<Reply<R>> reply = engine.send(sent.command(), sent.route(), Patience.UNLIMITED);
        executing = false;
        CompletableFuture<Reply<R>> unused = reply.whenComplete((answer, failure) -> sendBack(sent, answer));
        ofOwnCommand.forEach(push -> backLater(() -> arriveBack(push)));
        ofOwnCommand.clear();
    }

    private <R> void sendBack(Sent<R> sent, Reply<R> reply) {
        if (line.losesReply()) {
            arriveBack(sent, reply, true);
        } else {
            back(() -> arriveBack(sent, reply, line.isCut()));
        }
    }

    /** Like a server: reports a change to other clients at once, and to the sender after the reply. */
    private void pushBack(Push push) {
        Push said = line.voidsAll() ? new Push.AllInvalidated(line.address() + " says so") : push;
        if (executing) {
            ofOwnCommand.add(said);
        } else {
            back(() -> arriveBack(said));
        }
    }

    /** Answers arrive in the order in which they were sent, even if the line was slower before. */
    private void back(Runnable arrival) {
        if (arrivesBackAt() == network.time().nanos() && late == 0) {
            arrival.run();
        } else {
            backLater(arrival);
        }
    }

    private void backLater(Runnable arrival) {
        late++;
        lastArrival = arrivesBackAt();
        Event unused = network.changeLater(lastArrival - network.time().nanos(), () -> {
            late--;
            arrival.run();
        });
    }

    private long arrivesBackAt() {
        return Math.max(network.time().nanos() + line.delayNanos() - line.delayNanos() / 2, lastArrival);
    }

    /** Pushes that were lost on a cut line are delivered when it is mended, unless the connection is lost. */
    private void arriveBack(Push push) {
        if (line.isCut()) {
            behindTheCut.add(push);
        } else {
            push(push);
        }
    }

    private void push(Push push) {
        if (!closed) {
            network.deliver(() -> listeners.publish(push));
        }
    }

    /** Delivers the pushes that were kept while the line was cut, before anything else. */
    void receive() {
        while (!line.isCut() && !behindTheCut.isEmpty()) {
            push(behindTheCut.remove());
        }
    }

    private <R> void arriveBack(Sent<R> sent, Reply<R> reply, boolean dropped) {
        onTheWayBack--;
        if (!dropped) {
            answer(sent, reply);
        }
        noticeLoss();
    }

    private <R> void answer(Sent<R> sent, Reply<R> reply) {
        unanswered.remove(sent);
        sent.answer(reply, network);
    }

    @Override
    public void listen(PushListener listener) {
        listeners.add(listener);
    }

    @Override
    public int epoch() {
        return engine.epoch();
    }

    @Override
    public CompletableFuture<String> lost() {
        return lost;
    }

    /** Ends the connection if the partition is gone, after all its earlier answers, unless the line is cut. */
    void noticeLoss() {
        if (engine.lost().isDone() && onTheWayBack == 0 && !line.isCut()) {
            lose(line.address() + " went away");
        }
    }

    /** Breaks the connection: commands that have not arrived are lost. */
    void lose(String why) {
        end(why);
        discard();
    }

    @Override
    public void close() {
        network.change(() -> {
            end("the connection to " + line.address() + " was closed");
            deliver();
        });
    }

    private void end(String why) {
        closed = true;
        List.copyOf(unanswered).forEach(sent -> sent.lose(why, network));
        unanswered.clear();
        network.deliver(() -> {
            listeners.end(why);
            lost.complete(why);
        });
    }

    void discard() {
        underway.clear();
        line.forget(this);
        engine.close();
    }

    boolean isClosed() {
        return closed;
    }
}
