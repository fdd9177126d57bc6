// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.command;

import io.keyslot.client.partition.Reply;
import io.keyslot.client.partition.Route;
import io.keyslot.client.partition.TrafficCommand;
import io.keyslot.client.partition.TrafficReport;
import io.keyslot.client.partition.redis.handshake.InstanceRecord;
import io.keyslot.client.partition.redis.wire.CommandWriter;
import io.keyslot.client.partition.redis.wire.InternalKeys;
import io.keyslot.client.partition.redis.wire.Requests;
import io.keyslot.client.partition.redis.wire.RespAnswers;
import io.keyslot.client.partition.redis.wire.Script;
import io.keyslot.client.partition.redis.wire.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Stores traffic reports at an instance, over one connection. The namespace is empty for none. */
public record RedisTraffic(CommandWriter writer, String namespace) implements TrafficCommand.Operations {
    @Override
    public CompletableFuture<Reply<Boolean>> report(TrafficCommand.Report command) {
        ScriptCall call = ScriptCall.of(
                Script.REPORT_TRAFFIC,
                List.of(new InternalKeys(namespace).traffic(), InstanceRecord.KEY),
                List.of(
                        Requests.text(command.client()),
                        command.report().bytes(),
                        Requests.text(TrafficCommand.MOST_CLIENTS),
                        Requests.text(Long.toString(TrafficCommand.KEPT.toMillis()))));
        return writer.write(writer.script(call, RespAnswers.integer(), Route.ANY, RespAnswers::isOne));
    }

    @Override
    public CompletableFuture<Reply<TrafficCommand.Reports>> read(TrafficCommand.ReadReports command) {
        ScriptCall call = ScriptCall.of(
                Script.READ_TRAFFIC,
                new InternalKeys(namespace).traffic(),
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
