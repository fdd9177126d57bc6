// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition;

import io.keyslot.client.register.AcceptorAnswer;
import io.keyslot.client.register.AcceptorRequest;

/**
 * A request to a partition as an acceptor of the register of a namespace (empty for none). It belongs to no slot and
 * passes every route version guard. The acceptor state is not an entry: scans do not show it, and the application
 * cannot remove it except by emptying the whole partition.
 */
public record RegisterCommand(String namespace, AcceptorRequest request) implements Command<AcceptorAnswer> {}
