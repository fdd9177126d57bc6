// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

import io.keyslot.cache.EntityKey;
import io.keyslot.client.map.PartitionMap;
import io.keyslot.cluster.move.MapStore;
import io.keyslot.cluster.operator.MoveOrders;
import io.keyslot.cluster.operator.OpenCatalogue;
import io.keyslot.cluster.operator.RefusedException;
import io.keyslot.cluster.web.WebAnswer;
import io.keyslot.cluster.web.WebHandler;
import io.keyslot.cluster.web.WebRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.cache.CacheException;

/** Requests that need the token. They work like the commands of the same names, one at a time. */
final class OperatorRequests {
    private final ConnectionOptions connection;
    private final Semaphore turn = new Semaphore(1);

    OperatorRequests(ConnectionOptions connection) {
        this.connection = connection;
    }

    WebAnswer where(WebRequest request) throws IOException {
        EntityKey key;
        try {
            key = EntityKey.parse(request.asked("key"));
        } catch (IllegalArgumentException e) {
            return WebAnswer.refused(400, ErrorLine.messageOf(e));
        }
        return inTurn(
                request,
                asked -> WebAnswer.json(
                        WhereCommand.fields(WhereCommand.find(connection, key).entry(), true)));
    }

    WebAnswer order(WebRequest request) throws IOException {
        String order = request.asked("order");
        String id = request.asked("id");
        return switch (order) {
            case "pause", "resume", "abort" -> inTurn(request, asked -> order(order, id));
            default -> WebAnswer.refused(400, "An order is pause, resume or abort");
        };
    }

    private WebAnswer order(String order, String id) {
        try (OpenCatalogue catalogue = connection.catalogue()) {
            MoveOrders orders = new MoveOrders(catalogue);
            PartitionMap map = order.equals("abort")
                    ? orders.abort(id)
                    : orders.pace(id, pace -> pace.paused(order.equals("pause")));
            return WebAnswer.json(Map.of("map", map.stamp().toString(), "moves", MoveOrders.idsOf(map, id)));
        } catch (RefusedException e) {
            return WebAnswer.refused(409, ErrorLine.messageOf(e));
        } catch (MapStore.UnavailableException e) {
            return WebAnswer.refused(503, "It is not known whether that was done: " + ErrorLine.messageOf(e));
        }
    }

    private WebAnswer inTurn(WebRequest request, WebHandler handler) throws IOException {
        if (!turn.tryAcquire()) {
            return WebAnswer.refused(429, "Something else is being done: try again");
        }
        try {
            return handler.answer(request);
        } catch (CacheException e) {
            return WebAnswer.refused(503, ErrorLine.messageOf(e));
        } finally {
            turn.release();
        }
    }
}
