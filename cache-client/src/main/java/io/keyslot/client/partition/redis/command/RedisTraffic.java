// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import io.keyslot.client.partition.redis.wire.TrafficKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Stores traffic reports at an instance, over one connection. The namespace is empty for none. */
public record RedisTraffic(CommandWriter writer, String namespace) {
    public CompletableFuture<? extends Reply<?>> execute(TrafficCommand<?> command) {
        if (command instanceof TrafficCommand.Report report) {
            return report(report);
        }
        return read();
    }

    private CompletableFuture<Reply<Boolean>> report(TrafficCommand.Report command) {
        ScriptCall call = ScriptCall.of(
                Script.REPORT_TRAFFIC,
                List.of(TrafficKey.of(namespace), InstanceRecord.KEY),
                List.of(
                        Requests.text(command.client()),
                        command.report().bytes(),
                        Requests.text(TrafficCommand.MOST_CLIENTS),
                        Requests.text(Long.toString(TrafficCommand.KEPT.toMillis()))));
        return writer.write(writer.script(call, RespAnswers.integer(), Route.ANY, RespAnswers::isOne));
    }

    private CompletableFuture<Reply<TrafficCommand.Reports>> read() {
        ScriptCall call = ScriptCall.of(
                Script.READ_TRAFFIC,
                TrafficKey.of(namespace),
                List.of(Requests.text(Long.toString(TrafficCommand.KEPT.toMillis()))));
        return writer.write(writer.script(call, RespAnswers.nested(), Route.ANY, RedisTraffic::reports));
    }

    /** Skips unreadable reports; other software wrote them. */
    private static TrafficCommand.Reports reports(List<Object> answer) {
        List<TrafficCommand.Kept> kept = new ArrayList<>();
        for (Object each : answer.subList(1, answer.size())) {
            List<?> words = (List<?>) each;
            String client = RespAnswers.text(RespAnswers.bytes(words.get(0)));
            long age = RespAnswers.number(words.get(1));
            TrafficReport.read(RespAnswers.bytes(words.get(2)))
                    .ifPresent(report -> kept.add(new TrafficCommand.Kept(client, age, report)));
        }
        boolean hasRefused = RespAnswers.number(answer.get(0)) == 1;
        return new TrafficCommand.Reports(kept, !hasRefused && kept.size() == answer.size() - 1);
    }
}
